//! Stylesheets of the public game repository, as text.
//!
//! Their content is not examined here; `picture` parses and evaluates them.

use std::path::PathBuf;

/// The stylesheet of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StylesheetText {
    /// The content of the file.
    pub text: String,
    /// The folder that contains its images.
    pub resources: PathBuf,
}
