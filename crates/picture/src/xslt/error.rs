//! Why a stylesheet cannot be used.

use std::borrow::Cow;

use quick_xml::events::attributes::AttrError;

/// Why a stylesheet cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StylesheetError {
    /// The file that the game names cannot be read.
    #[error("{0}")]
    File(String),
    /// It is not XML as it should be.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// It is XML, but not a stylesheet.
    #[error("The stylesheet does not begin with <xsl:stylesheet>.")]
    Root,
    /// There is no thread to evaluate it.
    #[error("The stylesheet cannot be evaluated: {0}.")]
    Thread(#[source] std::io::Error),
    /// Its evaluation broke down.
    #[error("The stylesheet could not be evaluated.")]
    Panicked,
    /// It makes nothing of a state.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// What is wrong with the XML of a stylesheet.
#[derive(Debug, thiserror::Error)]
pub enum XmlError {
    /// It has more bytes than are read.
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
    /// An element ends that did not begin.
    #[error("The stylesheet ends more elements than it has.")]
    TooManyEnds,
    /// An element does not end.
    #[error("The stylesheet ends in the middle of an element.")]
    Unfinished,
    /// It has no element.
    #[error("The stylesheet has no element.")]
    Empty,
    /// An `&` begins no entity.
    #[error("The stylesheet has an `&` without a name after it.")]
    Ampersand,
    /// The entity is not known.
    #[error("The stylesheet has an entity `&{0};` that is not known.")]
    Entity(String),
}

/// Why a stylesheet makes nothing of a state: an instruction or expression that is wrong, not
/// supported or too much. Nobody needs to tell these apart, so it holds the sentence.
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
