//! The default location of the store.

use std::env;
use std::path::PathBuf;

/// Returns the path in the user's data folder, or `None` if there is no such folder.
pub fn default_path() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library").join("Application Support"))
    } else {
        let absolute = folder("XDG_DATA_HOME").filter(|path| path.is_absolute());
        absolute.or_else(|| folder("HOME").map(|home| home.join(".local").join("share")))
    };
    data.map(|data| data.join("tafl").join("matches.sqlite"))
}
