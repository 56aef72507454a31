//! Tables, plans and joins: what bottom-up evaluation and grounding share.

pub(crate) mod join;
pub(crate) mod layout;
pub(crate) mod machine;
pub(crate) mod plan;
pub(crate) mod table;
