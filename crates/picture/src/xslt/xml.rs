//! XML as a tree, and facts as the document that stylesheets expect.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::XmlError;

/// The maximum number of bytes of a stylesheet.
const MOST_BYTES: usize = 1_000_000;
/// The maximum nesting depth of elements.
const DEEPEST: usize = 100;

/// A part of a stylesheet or of its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Element(Element),
    Text(String),
}

/// An element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) parts: Vec<Part>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.parts.iter().filter_map(|part| match part {
            Part::Element(element) => Some(element),
            Part::Text(_) => None,
        })
    }
}

/// Parses XML. `&ROOT;` is replaced by `root`; of other entities only those of XML and `&nbsp;` are known.
pub(crate) fn read(text: &str, root: &str) -> Result<Element, XmlError> {
    if text.len() > MOST_BYTES {
        return Err(XmlError::TooLong);
    }
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().check_end_names = true;
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event()? {
            Event::Start(tag) => {
                if open.len() > DEEPEST {
                    return Err(XmlError::TooDeep);
                }
                open.push(element(&tag, root)?);
            }
            Event::Empty(tag) => {
                let element = element(&tag, root)?;
                push(&mut open, Part::Element(element));
            }
            Event::End(_) => {
                let Some(done) = open.pop().filter(|_| !open.is_empty()) else {
                    return Err(XmlError::TooManyEnds);
                };
                push(&mut open, Part::Element(done));
            }
            Event::Text(text) => push(&mut open, Part::Text(text.to_string())),
            Event::CData(text) => push(&mut open, Part::Text(text.to_string())),
            Event::GeneralRef(name) => {
                let text = entity(&name, root)?;
                push(&mut open, Part::Text(text));
            }
            Event::Eof => break,
            Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
    let Some(document) = open.pop().filter(|_| open.is_empty()) else {
        return Err(XmlError::Unfinished);
    };
    let mut elements = document.parts.into_iter().filter_map(|part| match part {
        Part::Element(element) => Some(element),
        Part::Text(_) => None,
    });
    elements.next().ok_or(XmlError::Empty)
}

fn push(open: &mut [Element], part: Part) {
    let Some(last) = open.last_mut() else { return };
    // Adjacent texts are joined.
    match (last.parts.last_mut(), part) {
        (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
        (_, part) => last.parts.push(part),
    }
}

fn element(tag: &BytesStart<'_>, root: &str) -> Result<Element, XmlError> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute?;
        attributes.push((attribute.key.as_ref().to_string(), unescaped(&attribute.value, root)?));
    }
    Ok(Element { name: tag.name().as_ref().to_string(), attributes, parts: Vec::new() })
}

fn unescaped(text: &str, root: &str) -> Result<String, XmlError> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let Some((name, after)) = after.split_once(';') else {
            return Err(XmlError::Ampersand);
        };
        out.push_str(&entity(name, root)?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn entity(name: &str, root: &str) -> Result<String, XmlError> {
    let number = |digits: &str, radix| {
        u32::from_str_radix(digits, radix)
            .ok()
            .and_then(char::from_u32)
            .map(|character| character.to_string())
    };
    let text = match name {
        "lt" => Some("<".to_string()),
        "gt" => Some(">".to_string()),
        "amp" => Some("&".to_string()),
        "quot" => Some("\"".to_string()),
        "apos" => Some("'".to_string()),
        "nbsp" => Some("\u{a0}".to_string()),
        "ROOT" => Some(root.to_string()),
        name => match name.strip_prefix("#x") {
            Some(digits) => number(digits, 16),
            None => name.strip_prefix('#').and_then(|digits| number(digits, 10)),
        },
    };
    text.ok_or_else(|| XmlError::Entity(name.to_string()))
}

/// A document of facts, as numbered nodes.
#[derive(Debug, Default)]
pub(crate) struct Document {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    /// The name of an element; `None` for a text.
    name: Option<&'static str>,
    text: String,
    parent: usize,
    children: Vec<usize>,
}

impl Document {
    /// The root of the document.
    pub(crate) const ROOT: usize = 0;

    /// Creates `<state>` with a `<fact>` for each fact.
    pub(crate) fn of(facts: &[String]) -> Document {
        let mut document = Document::default();
        document.add(None, "", 0);
        let state = document.add(Some("state"), "", 0);
        for fact in facts {
            let node = document.add(Some("fact"), "", state);
            document.term(fact, node, 0);
        }
        document
    }

    fn add(&mut self, name: Option<&'static str>, text: &str, parent: usize) -> usize {
        let number = self.nodes.len();
        self.nodes.push(Node { name, text: text.to_string(), parent, children: Vec::new() });
        if number > 0 {
            self.nodes[parent].children.push(number);
        }
        number
    }

    fn term(&mut self, term: &str, parent: usize, depth: usize) {
        let (name, arguments) = crate::board::fluent::split(term);
        if arguments.is_empty() || depth > 20 {
            self.add(None, name, parent);
            return;
        }
        let relation = self.add(Some("relation"), "", parent);
        self.add(None, name, relation);
        for argument in arguments {
            let node = self.add(Some("argument"), "", parent);
            self.term(argument, node, depth + 1);
        }
    }

    pub(crate) fn children(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    pub(crate) fn parent(&self, node: usize) -> usize {
        self.nodes[node].parent
    }

    pub(crate) fn name(&self, node: usize) -> Option<&'static str> {
        self.nodes[node].name
    }

    /// Returns the text of a node and all its descendants.
    pub(crate) fn text(&self, node: usize) -> String {
        let mut out = self.nodes[node].text.clone();
        for &child in &self.nodes[node].children {
            out.push_str(&self.text(child));
        }
        out
    }
}
