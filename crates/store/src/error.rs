//! The errors of the store.

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be opened.
    #[error("Cannot open the store {place}: {cause}.")]
    Open {
        /// The file.
        place: String,
        /// The reason.
        cause: String,
    },
    /// The file was created by a later version.
    #[error("The store {place} was created by a later version of tafl (format {found}; expected {known}).")]
    Newer {
        /// The file.
        place: String,
        /// The format of the file.
        found: u32,
        /// The latest format that this version supports.
        known: u32,
    },
    /// There is no match or series with this name.
    #[error("There is no match or series `{name}` in the store. `tafl history` lists them.")]
    Unknown {
        /// The requested name.
        name: String,
    },
    /// Several matches have a key that begins with this name.
    #[error("`{name}` is ambiguous: {matches}. Give a longer prefix.")]
    Several {
        /// The requested name.
        name: String,
        /// Some of the matching keys.
        matches: String,
    },
    /// Something that exists only once is stored already.
    #[error("The store already contains {what}.")]
    Taken {
        /// What is stored already.
        what: String,
    },
    /// The place where the store is kept failed. Only its back end knows the cause.
    #[error("The store failed: {0}.")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored record cannot be parsed.
    #[error("The store contains an unreadable record: {0}.")]
    Json(#[from] serde_json::Error),
}
