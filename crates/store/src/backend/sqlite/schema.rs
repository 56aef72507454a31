//! The tables, and the migration of older formats.
//!
//! The file records in `user_version` how many of the [`STEPS`] have been applied to it; the
//! remaining ones are applied in order when it is opened.

use rusqlite::{Connection, TransactionBehavior};

/// The migrations, each from one format to the next. Existing ones never change; new ones are appended.
pub(super) const STEPS: [&str; 2] = [
    "CREATE TABLE sheets (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
     CREATE TABLE series (
         name TEXT PRIMARY KEY, created INTEGER NOT NULL, plan TEXT NOT NULL
     ) WITHOUT ROWID;
     CREATE TABLE matches (
         id INTEGER PRIMARY KEY,
         key TEXT NOT NULL UNIQUE,
         match_id TEXT NOT NULL,
         series TEXT REFERENCES series (name),
         number INTEGER,
         game TEXT NOT NULL,
         created INTEGER NOT NULL,
         sheet INTEGER REFERENCES sheets (id),
         opening TEXT NOT NULL,
         UNIQUE (series, number)
     );
     CREATE INDEX matches_by_id ON matches (match_id);
     CREATE TABLE steps (
         match INTEGER NOT NULL REFERENCES matches (id),
         number INTEGER NOT NULL,
         step TEXT NOT NULL,
         PRIMARY KEY (match, number)
     ) WITHOUT ROWID;
     CREATE TABLE ends (
         match INTEGER PRIMARY KEY REFERENCES matches (id),
         finished INTEGER NOT NULL,
         end TEXT NOT NULL
     );",
    // Rows are never updated or deleted.
    "CREATE TRIGGER matches_stay BEFORE UPDATE ON matches BEGIN SELECT RAISE(ABORT, 'matches stay'); END;
     CREATE TRIGGER matches_last BEFORE DELETE ON matches BEGIN SELECT RAISE(ABORT, 'matches stay'); END;
     CREATE TRIGGER steps_stay BEFORE UPDATE ON steps BEGIN SELECT RAISE(ABORT, 'steps stay'); END;
     CREATE TRIGGER steps_last BEFORE DELETE ON steps BEGIN SELECT RAISE(ABORT, 'steps stay'); END;
     CREATE TRIGGER ends_stay BEFORE UPDATE ON ends BEGIN SELECT RAISE(ABORT, 'ends stay'); END;
     CREATE TRIGGER ends_last BEFORE DELETE ON ends BEGIN SELECT RAISE(ABORT, 'ends stay'); END;
     CREATE TRIGGER series_stay BEFORE UPDATE ON series BEGIN SELECT RAISE(ABORT, 'series stay'); END;
     CREATE TRIGGER series_last BEFORE DELETE ON series BEGIN SELECT RAISE(ABORT, 'series stay'); END;",
];

/// The latest format that this version supports.
pub(super) const FORMAT: u32 = STEPS.len() as u32;

/// Returns the format of a file.
fn format_of(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Migrates a file to the latest format. A file from a later version is left unchanged.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<u32> {
    if format_of(connection)? >= FORMAT {
        return format_of(connection);
    }
    // Another process may be migrating too; whichever comes first does the work.
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = format_of(&change)?;
    for step in STEPS.iter().skip(found as usize) {
        change.execute_batch(step)?;
    }
    change.pragma_update(None, "user_version", found.max(FORMAT))?;
    change.commit()?;
    format_of(connection)
}
