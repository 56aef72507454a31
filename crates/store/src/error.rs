//! Why the store could not do it.

/// What went wrong with the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be used.
    #[error("Cannot open the store {place}: {cause}.")]
    Open {
        /// The file.
        place: String,
        /// Why not.
        cause: String,
    },
    /// The file was made by a later version.
    #[error(
        "The store {place} was made by a later version of tafl (format {found}, this one knows {known})."
    )]
    Newer {
        /// The file.
        place: String,
        /// Its format.
        found: u32,
        /// The last format this version knows.
        known: u32,
    },
    /// Nothing of this name.
    #[error("There is no match or series `{name}` in the store. `tafl history` lists them.")]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// Several of this name.
    #[error("`{name}` can mean {matches}. Give more of the name.")]
    Several {
        /// What was asked for.
        name: String,
        /// Some that it can mean.
        matches: String,
    },
    /// The database failed.
    #[error("The store failed: {0}.")]
    Sql(#[from] rusqlite::Error),
    /// Something in it cannot be read.
    #[error("The store holds something that cannot be read: {0}.")]
    Json(#[from] serde_json::Error),
}
