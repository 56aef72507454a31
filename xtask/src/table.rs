//! Results as a data file: lines of comma-separated values in order of their
//! first columns, so that a second run changes only what differs.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::corpus::root;

/// A file under `results/` whose rows are found by their first `keys` values.
pub struct Table {
    path: PathBuf,
    head: &'static str,
    keys: usize,
    rows: BTreeMap<String, String>,
}

impl Table {
    /// The table as it was last written; empty if it was not, or had other columns.
    pub fn open(name: &str, head: &'static str, keys: usize) -> Table {
        let path = root().join("results").join(name);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut table = Table { path, head, keys, rows: BTreeMap::new() };
        if let Some(rows) = text.strip_prefix(head) {
            rows.lines().filter(|line| !line.is_empty()).for_each(|line| table.insert(line.to_string()));
        }
        table
    }

    /// The values of the row with these first values.
    pub fn row(&self, keys: &[&str]) -> Option<Vec<String>> {
        self.rows.get(&keys.join(",")).map(|row| row.split(',').map(String::from).collect())
    }

    /// Writes a row in the place of the one with the same key.
    pub fn put(&mut self, values: &[&str]) -> Result<(), String> {
        let plain = |value: &&str| value.replace([',', '\n', '\r'], ";");
        self.insert(values.iter().map(plain).collect::<Vec<_>>().join(","));
        let rows: String = self.rows.values().map(|row| format!("{row}\n")).collect();
        let folder = root().join("results");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&self.path, format!("{}\n{rows}", self.head)))
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }

    fn insert(&mut self, row: String) {
        let key: Vec<&str> = row.split(',').take(self.keys).collect();
        self.rows.insert(key.join(","), row);
    }
}
