//! Stylesheets of the public game repository, as they lie there.
//!
//! What is in them is not looked at here; `picture` reads and evaluates them.

use std::path::PathBuf;

/// The stylesheet that a game carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StylesheetText {
    /// The file.
    pub text: String,
    /// The folder in which its pictures lie.
    pub resources: PathBuf,
}
