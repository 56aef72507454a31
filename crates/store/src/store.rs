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
    ///
    /// The path `:memory:` opens an empty store in memory. Everything works as with a file, but nothing is
    /// written to the disk: it lasts as long as this value, and no other opening sees it. With
    /// `--store :memory:`, a command such as `tafl serve` stores matches only while it runs.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { backend: backend::open(path, Absent::Create)?, path: path.to_path_buf() })
    }

    /// Opens a store that already exists; one in memory never does.
    pub fn open_existing(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { backend: backend::open(path, Absent::Refuse)?, path: path.to_path_buf() })
    }

    /// Returns the path with which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if what it contains outlives the program; a store in memory does not.
    pub fn lasts(&self) -> bool {
        backend::lasts(&self.path)
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.backend
    }
}
