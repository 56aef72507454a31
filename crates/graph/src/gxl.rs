//! The GXL files in which the graphs of a grammar are stored.
//!
//! Only the parts used by grammars are read: graph attributes, nodes, and edges with one label.
//! All sizes are bounded. The only entities recognised are the five predefined ones of XML and
//! character references, so entities cannot expand.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;

use crate::GrammarError;

/// The graph of a file, before its labels are interpreted.
#[derive(Debug, Clone, Default)]
pub struct RawGraph {
    /// The name of the file.
    pub file: String,
    /// Attributes of the graph.
    pub attributes: BTreeMap<String, String>,
    /// The ids of the nodes, in file order.
    pub nodes: Vec<String>,
    /// The position at which each node is drawn, if the file contains it.
    pub places: Vec<Option<(f32, f32)>>,
    /// The edges: source, target and label.
    pub edges: Vec<(u32, u32, String)>,
}

/// The maximum number of nodes in one graph.
pub const MAX_NODES: usize = 2_000_000;
/// The maximum number of edges in one graph.
const MAX_EDGES: usize = 8_000_000;

impl RawGraph {
    /// Parses the text of a file.
    pub fn parse(file: &str, text: &str) -> Result<RawGraph, GrammarError> {
        let mut reader = Parse {
            file,
            graph: RawGraph { file: file.to_string(), ..RawGraph::default() },
            ..Parse::default()
        };
        reader.run(text)?;
        let Parse { mut graph, ids, edges, graphs, .. } = reader;
        if graphs == 0 {
            return Err(GrammarError::new(file, "there is no <graph> in this file."));
        }
        for (from, to, label) in edges {
            let place = || format!("edge {from} to {to}");
            let find = |id: &str| {
                let missing = || GrammarError::new(file, format!("there is no node `{id}`.")).at(place());
                ids.get(id).copied().ok_or_else(missing)
            };
            let (source, target) = (find(&from)?, find(&to)?);
            graph.edges.push((source, target, label));
        }
        Ok(graph)
    }

    /// Returns the name of an edge for messages.
    pub fn edge_name(&self, source: u32, target: u32) -> String {
        let (source, target) = (&self.nodes[source as usize], &self.nodes[target as usize]);
        if source == target { format!("node {source}") } else { format!("edge {source} to {target}") }
    }
}

#[derive(Default)]
struct Parse<'a> {
    file: &'a str,
    graph: RawGraph,
    ids: FxHashMap<String, u32>,
    edges: Vec<(String, String, String)>,
    graphs: usize,
    /// The edge or node element that is open.
    edge: Option<(String, String, Option<String>)>,
    node: Option<u32>,
    attribute: Option<String>,
    text: Option<String>,
}

impl Parse<'_> {
    fn error(&self, reader: &Reader<&[u8]>, message: impl Into<String>) -> GrammarError {
        GrammarError::new(self.file, message).at(format!("byte {}", reader.buffer_position()))
    }

    fn run(&mut self, text: &str) -> Result<(), GrammarError> {
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
        reader.config_mut().check_end_names = true;
        let mut depth = 0usize;
        loop {
            let event =
                reader.read_event().map_err(|e| self.error(&reader, format!("not well-formed XML: {e}.")))?;
            match event {
                Event::Start(tag) => {
                    depth += 1;
                    if depth > 64 {
                        return Err(self.error(&reader, "elements are nested too deeply."));
                    }
                    self.open(&tag, &reader)?;
                }
                Event::Empty(tag) => {
                    self.open(&tag, &reader)?;
                    self.close(tag.name().as_ref(), &reader)?;
                }
                Event::End(tag) => {
                    depth = depth.saturating_sub(1);
                    self.close(tag.name().as_ref(), &reader)?;
                }
                Event::Text(text) => {
                    if let Some(collected) = &mut self.text {
                        collected.push_str(&text);
                    }
                }
                Event::CData(text) => {
                    if let Some(collected) = &mut self.text {
                        collected.push_str(&text);
                    }
                }
                Event::GeneralRef(name) => {
                    let name = name.to_string();
                    let Some(character) = entity(&name) else {
                        return Err(self.error(&reader, format!("unknown entity `&{name};`.")));
                    };
                    if let Some(collected) = &mut self.text {
                        collected.push(character);
                    }
                }
                Event::Eof => break,
                Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
        }
        if depth > 0 {
            return Err(self.error(&reader, "unexpected end of the file inside an element."));
        }
        Ok(())
    }

    fn open(&mut self, tag: &BytesStart<'_>, reader: &Reader<&[u8]>) -> Result<(), GrammarError> {
        match tag.local_name().as_ref() {
            "graph" => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(self.error(reader, "the file has more than one <graph>."));
                }
            }
            "node" => {
                let id = self.attribute_of(tag, "id", reader)?;
                if self.graph.nodes.len() >= MAX_NODES {
                    return Err(self.error(reader, format!("more than {MAX_NODES} nodes.")));
                }
                let number = self.graph.nodes.len() as u32;
                if self.ids.insert(id.clone(), number).is_some() {
                    return Err(self.error(reader, format!("there are two nodes `{id}`.")));
                }
                self.graph.nodes.push(id);
                self.graph.places.push(None);
                self.node = Some(number);
            }
            "edge" => {
                if self.edges.len() >= MAX_EDGES {
                    return Err(self.error(reader, format!("more than {MAX_EDGES} edges.")));
                }
                let from = self.attribute_of(tag, "from", reader)?;
                self.edge = Some((from, self.attribute_of(tag, "to", reader)?, None));
            }
            "attr" => self.attribute = Some(self.attribute_of(tag, "name", reader)?),
            "string" | "int" | "bool" | "float" | "enum" => self.text = Some(String::new()),
            "gxl" => {}
            other => {
                let name = other.to_string();
                return Err(self.error(reader, format!("unexpected element <{name}>.")));
            }
        }
        Ok(())
    }

    fn close(&mut self, name: &str, reader: &Reader<&[u8]>) -> Result<(), GrammarError> {
        match name.rsplit(':').next().unwrap_or(name) {
            "string" | "int" | "bool" | "float" | "enum" => {
                let text = self.text.take().unwrap_or_default();
                let Some(attribute) = &self.attribute else { return Ok(()) };
                if let Some((_, _, label)) = &mut self.edge {
                    if attribute == "label" {
                        *label = Some(text.trim().to_string());
                    }
                } else if let Some(node) = self.node {
                    if attribute == "layout" {
                        let mut numbers = text.split_whitespace().filter_map(|n| n.parse::<f32>().ok());
                        self.graph.places[node as usize] = numbers.next().zip(numbers.next());
                    }
                } else {
                    self.graph.attributes.insert(attribute.clone(), text.trim().to_string());
                }
            }
            "attr" => self.attribute = None,
            "node" => self.node = None,
            "edge" => {
                if let Some((from, to, label)) = self.edge.take() {
                    let Some(label) = label else {
                        return Err(self.error(reader, format!("the edge from {from} to {to} has no label.")));
                    };
                    self.edges.push((from, to, label));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn attribute_of(
        &self,
        tag: &BytesStart<'_>,
        name: &str,
        reader: &Reader<&[u8]>,
    ) -> Result<String, GrammarError> {
        for attribute in tag.attributes() {
            let attribute =
                attribute.map_err(|e| self.error(reader, format!("not well-formed XML: {e}.")))?;
            if attribute.key.local_name().as_ref() == name {
                return self.unescaped(&attribute.value, reader);
            }
        }
        let element = tag.local_name().as_ref().to_string();
        Err(self.error(reader, format!("<{element}> has no attribute `{name}`.")))
    }

    fn unescaped(&self, text: &str, reader: &Reader<&[u8]>) -> Result<String, GrammarError> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('&') {
            out.push_str(before);
            let found = after.split_once(';').and_then(|(name, tail)| Some((entity(name)?, tail)));
            let Some((character, tail)) = found else {
                return Err(self.error(reader, format!("unknown entity in `{text}`.")));
            };
            out.push(character);
            rest = tail;
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// Returns the character that an entity or a character reference denotes.
fn entity(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
