//! Tables, plans and joins, shared by bottom-up evaluation and grounding.

pub(crate) mod join;
pub(crate) mod layout;
pub(crate) mod machine;
pub(crate) mod plan;
pub(crate) mod table;
