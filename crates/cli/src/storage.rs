//! The store of matches, as an argument.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use tafl::store::Store;

/// The store to use.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct StoreArguments {
    /// The file that stores matches [default: a file in your data folder]
    #[arg(long, value_name = "FILE", env = "TAFL_STORE", hide_env_values = true)]
    pub(crate) store: Option<PathBuf>,
}

impl StoreArguments {
    /// Opens the store, and creates it if necessary. Returns `None` if there is no place for it.
    pub(crate) fn open(&self) -> anyhow::Result<Option<Arc<Store>>> {
        let asked = self.store.clone();
        let Some(path) = asked.clone().or_else(tafl::store::default_path) else { return Ok(None) };
        match Store::open(&path) {
            Ok(store) => Ok(Some(Arc::new(store))),
            Err(error) if asked.is_some() => Err(error.into()),
            Err(error) => {
                let text =
                    format!("{error} Matches will not be stored; use --no-store to silence this note.");
                eprintln!("note: {text}");
                Ok(None)
            }
        }
    }

    /// Opens the store, which must exist.
    pub(crate) fn existing(&self) -> anyhow::Result<Arc<Store>> {
        let Some(path) = self.store.clone().or_else(tafl::store::default_path) else {
            bail!("There is no data folder for matches. Give a file with --store.");
        };
        Ok(Arc::new(Store::open_existing(&path)?))
    }

    /// Returns the arguments that select the same store again.
    pub(crate) fn again(&self) -> String {
        match &self.store {
            Some(path) => format!(" --store {}", quoted(&path.display().to_string())),
            None => String::new(),
        }
    }
}

/// Quotes a word for a shell if necessary.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/~:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('~') {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
