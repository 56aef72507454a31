//! The file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;
use crate::schema::{FORMAT, migrate};

/// How long a process waits for another that writes.
const WAIT: Duration = Duration::from_secs(20);

/// A store of matches. It may be shared by threads, and its file by processes.
pub struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Store {
    /// Opens the store in this file; makes file and folder where there are none.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let failed = |cause: String| StoreError::Open { place: path.display().to_string(), cause };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let connection = Connection::open(path).map_err(|error| failed(error.to_string()))?;
        Store::prepare(connection, path)
    }

    /// Opens a store that is there already.
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
            // In write-ahead mode this loses nothing when the process dies.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that breaks down is rolled back, so nothing is half done.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
