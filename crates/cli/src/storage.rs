//! Where matches are kept.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use store::Store;

/// Which store is meant.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct StoreArguments {
    /// The file that matches are kept in [default: in your data folder]
    #[arg(long, value_name = "FILE", env = "TAFL_STORE", hide_env_values = true)]
    pub(crate) store: Option<PathBuf>,
}

impl StoreArguments {
    /// The store, made where there is none; nothing where there is no place for one.
    pub(crate) fn open(&self) -> anyhow::Result<Option<Arc<Store>>> {
        let asked = self.store.clone();
        let Some(path) = asked.clone().or_else(store::default_path) else { return Ok(None) };
        match Store::open(&path) {
            Ok(store) => Ok(Some(Arc::new(store))),
            Err(error) if asked.is_some() => Err(error.into()),
            Err(error) => {
                let text = format!("{error} Nothing will be kept; --no-store says so without this note.");
                eprintln!("note: {text}");
                Ok(None)
            }
        }
    }

    /// The store, which must be there.
    pub(crate) fn existing(&self) -> anyhow::Result<Arc<Store>> {
        let Some(path) = self.store.clone().or_else(store::default_path) else {
            bail!("There is no data folder to look for matches in. Give the file with --store.");
        };
        Ok(Arc::new(Store::open_existing(&path)?))
    }

    /// The words that ask for the same store again.
    pub(crate) fn again(&self) -> String {
        match &self.store {
            Some(path) => format!(" --store {}", quoted(&path.display().to_string())),
            None => String::new(),
        }
    }
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/~:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('~') {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
