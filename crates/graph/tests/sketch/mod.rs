//! Grammars in a few lines: `a: type:Cell, flag:free` is a node with its
//! labels, `a -next-> b` an edge.

use std::fmt::Write;

use graph::{Bundle, Explorer, Grammar, GrammarError, Options};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A graph's file.
pub fn gxl(text: &str, attributes: &[(&str, &str)]) -> String {
    let mut out = String::from("<gxl><graph role=\"rule\" id=\"g\">");
    for (name, value) in attributes {
        write!(out, "<attr name=\"{name}\"><string>{value}</string></attr>").unwrap();
    }
    let (mut nodes, mut edges) = (Vec::new(), String::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut edge = |from: &str, to: &str, label: &str| {
            for node in [from, to] {
                if !nodes.contains(&node.to_string()) {
                    nodes.push(node.to_string());
                }
            }
            if !label.is_empty() {
                let label = escaped(label);
                write!(edges, "<edge from=\"{from}\" to=\"{to}\"><attr name=\"label\"><string>{label}</string></attr></edge>")
                    .unwrap();
            }
        };
        if let Some((from, rest)) = line.split_once(" -")
            && let Some((label, to)) = rest.rsplit_once("-> ")
        {
            edge(from, to, label);
        } else {
            let (node, labels) = line.split_once(':').unwrap();
            labels.split(", ").for_each(|label| edge(node, node, label.trim()));
        }
    }
    for node in nodes {
        write!(out, "<node id=\"{node}\"/>").unwrap();
    }
    out + &edges + "</graph></gxl>"
}

/// A grammar with these rules, control program and settings.
pub fn bundle(start: &str, rules: &[(&str, &str)], control: &str, settings: &str) -> Bundle {
    let mut bundle = Bundle::of("sketch", []);
    let with_control = if control.is_empty() { "" } else { "controlProgram=control\n" };
    let settings = format!("grammarVersion=3.11\nstartGraph=start\n{with_control}{settings}");
    bundle.files.insert("system.properties".to_string(), settings);
    bundle.files.insert("control.gcp".to_string(), control.to_string());
    bundle.files.insert("start.gst".to_string(), gxl(start, &[]));
    for (name, text) in rules {
        bundle.files.insert(format!("{}.gpr", name.replace('.', "/")), gxl(text, &[]));
    }
    bundle
}

/// States, transitions and final states.
#[allow(dead_code, reason = "not every test explores")]
pub fn counts(bundle: &Bundle) -> Result<(usize, usize, usize), GrammarError> {
    let grammar = Grammar::new(bundle, None)?;
    let mut explorer = Explorer::new(&grammar, Options::default()).unwrap();
    explorer.run().unwrap();
    Ok((explorer.states.len(), explorer.arrows.len(), explorer.finals()))
}
