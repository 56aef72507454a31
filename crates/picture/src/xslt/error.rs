//! The errors of stylesheets.

use std::borrow::Cow;

use quick_xml::events::attributes::AttrError;

/// The reason why a stylesheet cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StylesheetError {
    /// The file named by the game cannot be read.
    #[error("{0}")]
    File(String),
    /// It is not valid XML.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// It is XML, but not a stylesheet.
    #[error("The stylesheet does not start with <xsl:stylesheet>.")]
    Root,
    /// The thread for its evaluation cannot be started.
    #[error("The stylesheet cannot be evaluated: {0}.")]
    Thread(#[source] std::io::Error),
    /// Its evaluation panicked.
    #[error("The stylesheet could not be evaluated.")]
    Panicked,
    /// It cannot be evaluated for a state.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// The reason why the XML of a stylesheet is invalid.
#[derive(Debug, thiserror::Error)]
pub enum XmlError {
    /// It is too long.
    #[error("The stylesheet is too long.")]
    TooLong,
    /// It is not well-formed.
    #[error("The stylesheet is not well-formed: {0}.")]
    Malformed(#[from] quick_xml::Error),
    /// An attribute is not well-formed.
    #[error("The stylesheet is not well-formed: {0}.")]
    Attribute(#[from] AttrError),
    /// Its elements are nested too deeply.
    #[error("The elements of the stylesheet are nested too deeply.")]
    TooDeep,
    /// There is an end tag without a start tag.
    #[error("The stylesheet has an end tag without a start tag.")]
    TooManyEnds,
    /// An element has no end tag.
    #[error("The stylesheet ends in the middle of an element.")]
    Unfinished,
    /// It has no element.
    #[error("The stylesheet has no element.")]
    Empty,
    /// An `&` does not start an entity.
    #[error("The stylesheet has an `&` that does not start an entity.")]
    Ampersand,
    /// The entity is unknown.
    #[error("The stylesheet has an unknown entity `&{0};`.")]
    Entity(String),
}

/// The reason why a stylesheet cannot be evaluated for a state: an instruction or expression is wrong,
/// unsupported or too expensive. No caller distinguishes these, so it only contains the message.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EvaluationError(Cow<'static, str>);

impl From<&'static str> for EvaluationError {
    fn from(sentence: &'static str) -> EvaluationError {
        EvaluationError(Cow::Borrowed(sentence))
    }
}

impl From<String> for EvaluationError {
    fn from(sentence: String) -> EvaluationError {
        EvaluationError(Cow::Owned(sentence))
    }
}
