//! The store and its file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;
use crate::schema::{FORMAT, migrate};

/// How long a process waits for another one that is writing.
const WAIT: Duration = Duration::from_secs(20);

/// A store of matches. It can be shared by threads, and its file by processes.
pub struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Store {
    /// Opens the store in this file; the file and its folder are created if necessary.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let failed = |cause: String| StoreError::Open { place: path.display().to_string(), cause };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let connection = Connection::open(path).map_err(|error| failed(error.to_string()))?;
        Store::prepare(connection, path)
    }

    /// Opens a store that already exists.
    pub fn open_existing(path: &Path) -> Result<Store, StoreError> {
        let failed = |cause: String| StoreError::Open { place: path.display().to_string(), cause };
        if !path.exists() {
            return Err(failed("there is no such file; nothing has been played yet".to_string()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|error| failed(error.to_string()))?;
        Store::prepare(connection, path)
    }

    fn prepare(mut connection: Connection, path: &Path) -> Result<Store, StoreError> {
        let place = path.display().to_string();
        let mut set_up = || -> rusqlite::Result<u32> {
            connection.busy_timeout(WAIT)?;
            connection.pragma_update(None, "journal_mode", "wal")?;
            // In write-ahead mode this setting loses nothing if the process dies.
            connection.pragma_update(None, "synchronous", "normal")?;
            connection.pragma_update(None, "foreign_keys", "on")?;
            migrate(&mut connection)
        };
        let found =
            set_up().map_err(|error| StoreError::Open { place: place.clone(), cause: error.to_string() })?;
        if found > FORMAT {
            return Err(StoreError::Newer { place, found, known: FORMAT });
        }
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Store { connection: Mutex::new(connection), path: path.to_path_buf() })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A failed transaction is rolled back, so a poisoned lock guards a consistent connection.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
