//! A store in one SQLite file. All SQL of the project is in this folder.
//!
//! The file is in write-ahead mode, and a batch is a transaction. Triggers make sure that nothing
//! is changed or deleted, whichever program opens the file. Several processes can share it.

mod read;
mod schema;
mod write;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena::StepRecord;
use rusqlite::{Connection, OpenFlags};

use super::{Absent, Backend, Opened};
use crate::batch::Change;
use crate::error::StoreError;
use crate::history::{Query, Summary};
use crate::series::{Member, Series};
use schema::{FORMAT, migrate};

/// How long a process waits for another one that is writing.
const WAIT: Duration = Duration::from_secs(20);

/// A SQLite file.
struct Sqlite {
    connection: Mutex<Connection>,
}

/// Opens a file; it and its folder are created if they are absent and this is allowed.
pub(super) fn open(path: &Path, absent: Absent) -> Result<Box<dyn Backend>, StoreError> {
    let failed = |cause: String| StoreError::Open { place: path.display().to_string(), cause };
    let flags = match absent {
        Absent::Refuse if !path.exists() => {
            return Err(failed("there is no such file; nothing has been played yet".to_string()));
        }
        Absent::Refuse => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        Absent::Create => {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
            }
            OpenFlags::default()
        }
    };
    let connection = Connection::open_with_flags(path, flags).map_err(|error| failed(error.to_string()))?;
    Ok(Box::new(Sqlite::prepare(connection, path)?))
}

impl Sqlite {
    /// Migrates a file to the latest format.
    fn prepare(mut connection: Connection, path: &Path) -> Result<Sqlite, StoreError> {
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
        Ok(Sqlite { connection: Mutex::new(connection) })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A failed transaction is rolled back, so a poisoned lock guards a consistent connection.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Sqlite {
    fn append(&self, batch: &[Change<'_>]) -> Result<Vec<String>, StoreError> {
        write::append(&mut self.connection(), batch)
    }

    fn matches(&self, query: &Query) -> Result<Vec<Summary>, StoreError> {
        read::matches(&self.connection(), query)
    }

    fn keys_of(&self, match_id: &str) -> Result<Vec<String>, StoreError> {
        read::keys_of(&self.connection(), match_id)
    }

    fn keys_like(&self, beginning: &str, most: usize) -> Result<Vec<String>, StoreError> {
        read::keys_like(&self.connection(), beginning, most)
    }

    fn opened(&self, key: &str) -> Result<Opened, StoreError> {
        read::opened(&self.connection(), key)
    }

    fn steps(&self, key: &str) -> Result<Vec<StepRecord>, StoreError> {
        read::steps(&self.connection(), key)
    }

    fn sheet(&self, key: &str) -> Result<Option<String>, StoreError> {
        read::sheet(&self.connection(), key)
    }

    fn series(&self, name: &str) -> Result<Series, StoreError> {
        read::series(&self.connection(), name)
    }

    fn series_like(&self, beginning: &str) -> Result<Vec<Series>, StoreError> {
        read::series_like(&self.connection(), beginning)
    }

    fn members(&self, series: &str) -> Result<Vec<Member>, StoreError> {
        read::members(&self.connection(), series)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Failed(Box::new(error))
    }
}
