//! Input that is broken, huge or endless.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod sketch;

use std::io::Write;

use graph::{Bundle, Explorer, Grammar, Options, RawGraph};
use sketch::bundle;

#[test]
fn truncated_files_are_refused() {
    let text = sketch::gxl("a: type:A, flag:x\na -next-> b", &[("priority", "1")]);
    for length in 0..text.len() {
        assert!(RawGraph::parse("g.gst", &text[..length]).is_err(), "{}", &text[..length]);
    }
}

#[test]
fn entities_do_not_expand() {
    let bomb = "<!DOCTYPE gxl [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]>\
        <gxl><graph id=\"g\"><node id=\"n\"/><edge from=\"n\" to=\"n\"><attr name=\"label\"><string>&b;</string></attr></edge></graph></gxl>";
    let error = RawGraph::parse("g.gst", bomb).unwrap_err().to_string();
    assert!(error.contains("entity"), "{error}");
    let fine = "<gxl><graph id=\"g\"><node id=\"n\"/><edge from=\"n\" to=\"n\"><attr name=\"label\"><string>a&amp;&#98;</string></attr></edge></graph></gxl>";
    assert_eq!(RawGraph::parse("g.gst", fine).unwrap().edges[0].2, "a&b");
}

#[test]
fn nonsense_is_an_error_and_no_panic() {
    for text in [
        "",
        "x",
        "<",
        "<gxl>",
        "<gxl/>",
        "<gxl><graph></gxl>",
        "<gxl><graph><node/></graph></gxl>",
        "<gxl><graph><node id='a'/><node id='a'/></graph></gxl>",
        "<gxl><graph><edge from='a' to='b'/></graph></gxl>",
        "<gxl><graph/><graph/></gxl>",
        "<gxl><rel/></gxl>",
    ] {
        assert!(RawGraph::parse("g.gst", text).is_err(), "{text}");
    }
    assert!(RawGraph::parse("g.gst", &"<gxl>".repeat(100_000)).is_err());
}

#[test]
fn a_million_nodes_are_read_and_searched() {
    let mut text = String::from("<gxl><graph id=\"g\">");
    for node in 0..1_000_000 {
        text.push_str(&format!("<node id=\"n{node}\"/>"));
    }
    text.push_str("<edge from=\"n5\" to=\"n5\"><attr name=\"label\"><string>flag:x</string></attr></edge></graph></gxl>");
    let mut large = bundle("a: flag:x", &[("r", "n: del:flag:x")], "", "");
    large.files.insert("start.gst".to_string(), text);
    let grammar = Grammar::new(&large, None).unwrap();
    assert_eq!(grammar.expand(&grammar.initial()).unwrap().transitions.len(), 1);
}

#[test]
fn searches_that_explode_are_given_up() {
    let nodes: String = (0..200).map(|n| format!("n{n}: flag:x\n")).collect();
    let wide: String = (0..8).map(|n| format!("m{n}: flag:x, par:{n}\n")).collect();
    let grammar = Grammar::new(&bundle(&nodes, &[("wide", &wide)], "", ""), None);
    let mut grammar = grammar.unwrap();
    grammar.limits.search = 100_000;
    let fault = grammar.expand(&grammar.initial()).unwrap_err().to_string();
    assert!(fault.contains("`wide`"), "{fault}");
}

#[test]
fn growth_without_end_is_stopped() {
    let grow = ("grow", "n: flag:x\nm: new:\nn -new:to-> m");
    let mut grammar = Grammar::new(&bundle("n: flag:x", &[grow], "", ""), None).unwrap();
    grammar.limits.nodes = 30;
    let mut explorer = Explorer::new(&grammar, Options::default()).unwrap();
    let fault = explorer.run().unwrap_err().to_string();
    assert!(fault.contains("`grow`") && fault.contains("30 nodes"), "{fault}");
    // A recipe that never ends.
    let mut endless =
        Grammar::new(&bundle("n: flag:x", &[grow], "recipe r() { alap grow; }", ""), None).unwrap();
    endless.limits.inner_steps = 200;
    let fault = endless.expand(&endless.initial()).unwrap_err().to_string();
    assert!(fault.contains("inner steps"), "{fault}");
    // A procedure that calls itself before it does anything.
    let error = Grammar::new(&bundle("n: flag:x", &[grow], "function f() { f(); grow; } f();", ""), None)
        .unwrap_err();
    assert!(error.to_string().contains("forever"), "{error}");
}

#[test]
fn packed_grammars_are_read_and_bombs_are_not() {
    let options = zip::write::SimpleFileOptions::default();
    let mut packed = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in &bundle("n: flag:x", &[("r", "n: del:flag:x")], "", "").files {
        packed.start_file(format!("my.gps/{name}"), options).unwrap();
        packed.write_all(text.as_bytes()).unwrap();
    }
    let bytes = packed.finish().unwrap().into_inner();
    let read = Bundle::packed("my.zip", &bytes).unwrap();
    assert_eq!(sketch::counts(&read).unwrap(), (2, 1, 1));
    for length in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        assert!(Bundle::packed("my.zip", &bytes[..length]).is_err());
    }
    let mut bomb = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    bomb.start_file("start.gst", options).unwrap();
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..300 {
        bomb.write_all(&zeros).unwrap();
    }
    let bytes = bomb.finish().unwrap().into_inner();
    assert!(bytes.len() < 1 << 20);
    let error = Bundle::packed("bomb.zip", &bytes).unwrap_err().to_string();
    assert!(error.contains("too large"), "{error}");
}
