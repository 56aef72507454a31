//! Makes the output of a stylesheet harmless.
//!
//! Only elements and attributes that show something are kept. Images from the repository's own
//! resources are embedded; every other address is dropped, in attributes and in styles.

use super::Resource;
use super::xml::{Element, Part};

/// Stands for the address of the repository.
pub(super) const ROOT: &str = "repository:";
/// The maximum number of bytes of the output.
const MOST_BYTES: usize = 4_000_000;
const DEEPEST: usize = 60;

const ELEMENTS: [&str; 44] = [
    "div", "span", "table", "tbody", "thead", "tr", "td", "th", "p", "center", "b", "i", "u", "em", "strong",
    "small", "sub", "sup", "br", "hr", "img", "font", "h1", "h2", "h3", "h4", "ul", "ol", "li", "style",
    "svg", "g", "path", "circle", "ellipse", "rect", "line", "polygon", "polyline", "text", "tspan", "title",
    "pre", "caption",
];

const ATTRIBUTES: [&str; 49] = [
    "class",
    "id",
    "style",
    "width",
    "height",
    "align",
    "valign",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "colspan",
    "rowspan",
    "alt",
    "title",
    "color",
    "face",
    "size",
    "d",
    "x",
    "y",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "x1",
    "y1",
    "x2",
    "y2",
    "dx",
    "dy",
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "transform",
    "viewBox",
    "points",
    "text-anchor",
    "font-size",
    "font-family",
    "font-weight",
    "opacity",
    "fill-opacity",
    "stroke-opacity",
    "preserveAspectRatio",
    "dominant-baseline",
];

/// Elements without content.
const EMPTY: [&str; 3] = ["br", "hr", "img"];

pub(super) fn html(parts: &[Part], resource: &Resource<'_>) -> String {
    let mut out = String::new();
    write(&mut out, parts, resource, 0);
    out
}

fn write(out: &mut String, parts: &[Part], resource: &Resource<'_>, depth: usize) {
    for part in parts {
        if out.len() > MOST_BYTES || depth > DEEPEST {
            return;
        }
        match part {
            Part::Text(text) => escape(out, text),
            Part::Element(element) => write_element(out, element, resource, depth),
        }
    }
}

fn write_element(out: &mut String, element: &Element, resource: &Resource<'_>, depth: usize) {
    let name = element.name.as_str();
    if matches!(name, "script" | "iframe" | "object" | "embed" | "link" | "meta" | "form" | "template") {
        return;
    }
    if !ELEMENTS.contains(&name) {
        // The content of unknown elements is kept.
        write(out, &element.parts, resource, depth + 1);
        return;
    }
    if name == "style" {
        let css = style(&super::text_of(element), resource);
        out.push_str("<style>");
        // A style must not contain markup.
        out.push_str(&css.replace(['<', '&', '>'], " "));
        out.push_str("</style>");
        return;
    }
    let mut attributes = String::new();
    for (key, value) in &element.attributes {
        let value = match key.as_str() {
            "src" if name == "img" => match resolve(value, resource) {
                Some(address) => address,
                None => return,
            },
            "style" => style(value, resource),
            key if ATTRIBUTES.contains(&key) && !value.contains("url(") => value.clone(),
            _ => continue,
        };
        attributes.push_str(&format!(" {key}=\""));
        escape(&mut attributes, &value);
        attributes.push('"');
    }
    out.push_str(&format!("<{name}{attributes}"));
    if EMPTY.contains(&name) {
        out.push_str(" />");
        return;
    }
    out.push('>');
    write(out, &element.parts, resource, depth + 1);
    out.push_str(&format!("</{name}>"));
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
}

/// Returns the image that an address refers to, or `None` if it is not in the repository.
fn resolve(address: &str, resource: &Resource<'_>) -> Option<String> {
    let address = address.trim().trim_matches(['\'', '"']);
    let path = address.strip_prefix(ROOT).unwrap_or(address).trim_start_matches('/');
    resource(path.strip_prefix("resources/")?)
}

/// Removes everything from a style that fetches or acts. Images of the repository are embedded.
fn style(text: &str, resource: &Resource<'_>) -> String {
    // Escapes and comments could hide something.
    let mut plain = text.replace('\\', "");
    while let Some(start) = plain.find("/*") {
        let end = plain[start + 2..].find("*/").map_or(plain.len(), |end| start + end + 4);
        plain.replace_range(start..end, "");
    }
    let mut out = String::new();
    let mut rest = plain.as_str();
    while let Some(at) = find(rest, "url(") {
        out.push_str(&rest[..at]);
        let after = &rest[at + 4..];
        let end = after.find(')').unwrap_or(after.len());
        if let Some(address) = resolve(&after[..end], resource) {
            out.push_str(&format!("url('{address}')"));
        } else {
            out.push_str("none");
        }
        rest = after.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    let acts = [
        "@import",
        "@charset",
        "@namespace",
        "@font-face",
        "expression",
        "javascript",
        "behavior",
        "binding",
    ];
    if acts.iter().any(|word| find(&out, word).is_some()) { String::new() } else { out }
}

/// Finds a word, ignoring case.
fn find(text: &str, word: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(word)
}
