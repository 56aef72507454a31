//! The store and its place.

use std::path::{Path, PathBuf};

use crate::backend::{self, Absent, Backend};
use crate::error::StoreError;

/// A store of matches. It can be shared by threads, and its file by processes.
pub struct Store {
    backend: Box<dyn Backend>,
    path: PathBuf,
}

impl Store {
    /// Opens the store in this file; the file and its folder are created if necessary.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { backend: backend::open(path, Absent::Create)?, path: path.to_path_buf() })
    }

    /// Opens a store that already exists.
    pub fn open_existing(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { backend: backend::open(path, Absent::Refuse)?, path: path.to_path_buf() })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.backend
    }
}
