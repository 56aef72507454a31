//! Stylesheets of the public game repository.
//!
//! A game of the repository may have an XSLT stylesheet that turns a state into HTML. The subset of
//! XSLT 1.0 that these use is evaluated here, because browsers are dropping XSLT. A stylesheet is as
//! untrusted as a rule sheet: time, depth and size are limited, and everything that could act or fetch
//! something is removed from the output ([`clean`]).

mod clean;
mod error;
mod resource;
mod token;
mod xml;
mod xpath;

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::thread;

use library::Source;
use rustc_hash::FxHashMap;

pub use error::{EvaluationError, StylesheetError, XmlError};
use xml::{Document, Element, Part};
use xpath::{Context, Expression, Value};

/// The maximum number of evaluation steps.
const FUEL: u64 = 40_000_000;
/// The maximum nesting depth of instructions, including template calls.
const DEEPEST: usize = 2_000;
/// The maximum number of elements and texts in the output.
const MOST_PARTS: usize = 60_000;
/// The stack size for the recursion of templates.
const STACK: usize = 32 << 20;

/// A stylesheet.
#[derive(Debug, Clone)]
pub struct Stylesheet {
    root: Element,
    /// The folder of its images.
    resources: PathBuf,
}

/// Finds an image by its path below `resources/`, and returns it as a `data:` URL.
type Resource<'a> = dyn Fn(&str) -> Option<String> + Sync + 'a;

impl Stylesheet {
    /// Parses a stylesheet whose images are in a folder.
    pub fn read(text: &str, resources: impl Into<PathBuf>) -> Result<Stylesheet, StylesheetError> {
        let root = xml::read(text, clean::ROOT)?;
        if local(&root.name) != "stylesheet" {
            return Err(StylesheetError::Root);
        }
        Ok(Stylesheet { root, resources: resources.into() })
    }

    /// Returns the stylesheet of a game, or why it cannot be used.
    pub fn of(source: &Source) -> Option<Result<Stylesheet, StylesheetError>> {
        let found = source.stylesheet.as_ref()?.as_ref();
        let found = found.map_err(|error| StylesheetError::File(error.to_string()));
        Some(found.and_then(|found| Stylesheet::read(&found.text, &found.resources)))
    }

    /// Draws a state with the stylesheet, in a square of the given size: harmless XHTML in an SVG. Its look
    /// depends on inline styles, so a page whose security policy forbids these should show the artist's
    /// picture instead.
    pub fn svg(&self, facts: &[String], pixels: u32) -> Result<String, StylesheetError> {
        let html = self.html(facts, pixels, &|path| resource::load(&self.resources, path))?;
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board board-stylesheet\" viewBox=\"0 0 {pixels} {pixels}\" \
             role=\"img\" aria-label=\"a board\"><foreignObject width=\"{pixels}\" height=\"{pixels}\"><div \
             xmlns=\"http://www.w3.org/1999/xhtml\">{html}</div></foreignObject></svg>\n"
        ))
    }

    /// Evaluates the stylesheet for a state, and returns harmless XHTML for a square of the given size.
    fn html(
        &self,
        facts: &[String],
        pixels: u32,
        resource: &Resource<'_>,
    ) -> Result<String, StylesheetError> {
        let document = Document::of(facts);
        let work = || {
            let run = Run {
                root: &self.root,
                document: &document,
                fuel: Cell::new(FUEL),
                parts: Cell::new(MOST_PARTS),
                read: RefCell::default(),
            };
            run.all(pixels)
        };
        let parts = thread::scope(|scope| {
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let made = worker.map_err(StylesheetError::Thread)?.join();
            Ok::<_, StylesheetError>(made.map_err(|_| StylesheetError::Panicked)??)
        })?;
        Ok(clean::html(&parts, resource))
    }
}

/// Returns a name without its namespace prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// The names and values in scope.
type Scope = Vec<(String, Value)>;

struct Run<'a> {
    root: &'a Element,
    document: &'a Document,
    fuel: Cell<u64>,
    parts: Cell<usize>,
    read: RefCell<FxHashMap<String, Rc<Expression>>>,
}

/// The current position of the evaluation.
#[derive(Clone, Copy)]
struct Place {
    node: usize,
    position: usize,
    size: usize,
    depth: usize,
}

impl Place {
    fn deeper(self) -> Result<Place, EvaluationError> {
        if self.depth >= DEEPEST {
            return Err("The templates of the stylesheet are nested too deeply.".into());
        }
        Ok(Place { depth: self.depth + 1, ..self })
    }
}

impl Run<'_> {
    fn all(&self, pixels: u32) -> Result<Vec<Part>, EvaluationError> {
        let mut globals: Scope = Vec::new();
        let place = Place { node: Document::ROOT, position: 1, size: 1, depth: 0 };
        for element in self.root.elements() {
            let Some(name) = element.attribute("name") else { continue };
            match local(&element.name) {
                "param" if matches!(name, "width" | "height") => {
                    globals.push((name.to_string(), Value::Number(f64::from(pixels))));
                }
                "param" | "variable" => {
                    let value = self.given(element, &globals, place)?;
                    globals.push((name.to_string(), value));
                }
                _ => {}
            }
        }
        let templates = || self.root.elements().filter(|element| local(&element.name) == "template");
        let main = templates()
            .find(|template| template.attribute("match") == Some("/"))
            .or_else(|| templates().find(|template| template.attribute("name") == Some("main")))
            .ok_or("The stylesheet has no template that matches `/` or is named `main`.")?;
        let mut out = Element::default();
        self.parts_of(&main.parts, &mut globals, place, &mut out)?;
        Ok(out.parts)
    }

    /// Evaluates an expression.
    fn value(&self, text: &str, scope: &Scope, place: Place) -> Result<Value, EvaluationError> {
        let known = self.read.borrow().get(text).cloned();
        let expression = match known {
            Some(expression) => expression,
            None => {
                let expression = Rc::new(Expression::read(text)?);
                self.read.borrow_mut().insert(text.to_string(), Rc::clone(&expression));
                expression
            }
        };
        let variable =
            |name: &str| scope.iter().rev().find(|(found, _)| found == name).map(|(_, value)| value.clone());
        expression.value(&Context {
            document: self.document,
            node: place.node,
            position: place.position,
            size: place.size,
            variable: &variable,
            fuel: &self.fuel,
        })
    }

    /// Returns the value of a variable or parameter: its expression, or the text of its content.
    fn given(&self, element: &Element, scope: &Scope, place: Place) -> Result<Value, EvaluationError> {
        if let Some(select) = element.attribute("select") {
            return self.value(select, scope, place);
        }
        let mut out = Element::default();
        self.parts_of(&element.parts, &mut scope.clone(), place, &mut out)?;
        Ok(Value::Text(text_of(&out)))
    }

    /// Executes instructions, and copies everything else.
    fn parts_of(
        &self,
        parts: &[Part],
        scope: &mut Scope,
        place: Place,
        out: &mut Element,
    ) -> Result<(), EvaluationError> {
        let place = place.deeper()?;
        let reach = scope.len();
        for part in parts {
            match part {
                Part::Text(text) if text.trim().is_empty() => {}
                Part::Text(text) => self.emit(out, Part::Text(text.clone()))?,
                Part::Element(element) if element.name.starts_with("xsl:") => {
                    self.instruction(element, scope, place, out)?;
                }
                Part::Element(element) => {
                    let mut made = Element { name: element.name.clone(), ..Element::default() };
                    for (name, value) in &element.attributes {
                        made.attributes.push((name.clone(), self.template_text(value, scope, place)?));
                    }
                    self.parts_of(&element.parts, scope, place, &mut made)?;
                    self.emit(out, Part::Element(made))?;
                }
            }
        }
        scope.truncate(reach);
        Ok(())
    }

    fn emit(&self, out: &mut Element, part: Part) -> Result<(), EvaluationError> {
        let left = self.parts.get().checked_sub(1).ok_or("The output of the stylesheet is too large.")?;
        self.parts.set(left);
        if let Part::Text(text) = &part {
            let cost = text.len() as u64 / 4;
            let fuel = self.fuel.get().checked_sub(cost).ok_or("The stylesheet takes too long.")?;
            self.fuel.set(fuel);
        }
        out.parts.push(part);
        Ok(())
    }

    fn instruction(
        &self,
        element: &Element,
        scope: &mut Scope,
        place: Place,
        out: &mut Element,
    ) -> Result<(), EvaluationError> {
        let needed = |name: &str| {
            element
                .attribute(name)
                .ok_or_else(|| format!("<{}> in the stylesheet has no attribute `{name}`.", element.name))
        };
        match local(&element.name) {
            "value-of" => {
                let text = self.value(needed("select")?, scope, place)?.text(self.document);
                self.emit(out, Part::Text(text))?;
            }
            "text" => self.emit(out, Part::Text(text_of(element)))?,
            "if" => {
                if self.value(needed("test")?, scope, place)?.truth() {
                    self.parts_of(&element.parts, scope, place, out)?;
                }
            }
            "choose" => {
                for branch in element.elements() {
                    let chosen = match (local(&branch.name), branch.attribute("test")) {
                        ("when", Some(test)) => self.value(test, scope, place)?.truth(),
                        ("otherwise", _) => true,
                        _ => {
                            return Err("<xsl:choose> in the stylesheet has an unknown part.".into());
                        }
                    };
                    if chosen {
                        return self.parts_of(&branch.parts, scope, place, out);
                    }
                }
            }
            "variable" | "param" => {
                let name = needed("name")?;
                // A parameter that was passed keeps its value.
                let key = format!("{PASSED}{name}");
                let passed =
                    scope.iter().rev().find(|(found, _)| *found == key).map(|(_, value)| value.clone());
                let value = match passed.filter(|_| local(&element.name) == "param") {
                    Some(value) => value,
                    None => self.given(element, scope, place)?,
                };
                scope.push((name.to_string(), value));
            }
            "call-template" => self.call(element, needed("name")?, scope, place, out)?,
            "for-each" => self.for_each(element, needed("select")?, scope, place, out)?,
            "attribute" => {
                let name = self.template_text(needed("name")?, scope, place)?;
                let mut made = Element::default();
                self.parts_of(&element.parts, scope, place, &mut made)?;
                let text = text_of(&made);
                out.attributes.retain(|(found, _)| *found != name);
                out.attributes.push((name, text));
            }
            "sort" => {}
            other => return Err(format!("<xsl:{other}> in the stylesheet is not supported.").into()),
        }
        Ok(())
    }

    fn call(
        &self,
        element: &Element,
        name: &str,
        scope: &Scope,
        place: Place,
        out: &mut Element,
    ) -> Result<(), EvaluationError> {
        let mut templates = self.root.elements().filter(|element| local(&element.name) == "template");
        let template = templates
            .find(|template| template.attribute("name") == Some(name))
            .ok_or_else(|| format!("The stylesheet has no template `{name}`."))?;
        let globals =
            self.root.elements().filter(|element| matches!(local(&element.name), "param" | "variable"));
        let globals = globals.filter(|element| element.attribute("name").is_some()).count();
        let mut inner: Scope = scope[..globals.min(scope.len())].to_vec();
        for given in element.elements().filter(|given| local(&given.name) == "with-param") {
            let Some(name) = given.attribute("name") else { continue };
            inner.push((format!("{PASSED}{name}"), self.given(given, scope, place)?));
        }
        self.parts_of(&template.parts, &mut inner, place, out)
    }

    fn for_each(
        &self,
        element: &Element,
        select: &str,
        scope: &mut Scope,
        place: Place,
        out: &mut Element,
    ) -> Result<(), EvaluationError> {
        let Value::Nodes(mut nodes) = self.value(select, scope, place)? else {
            return Err(format!("`{select}` in the stylesheet does not select nodes.").into());
        };
        for sort in
            element.elements().filter(|sort| local(&sort.name) == "sort").collect::<Vec<_>>().iter().rev()
        {
            let mut keyed = Vec::new();
            for &node in &nodes {
                let at = Place { node, position: 1, size: 1, ..place };
                let key = self.value(sort.attribute("select").unwrap_or("."), scope, at)?;
                keyed.push((key.number(self.document), key.text(self.document), node));
            }
            if sort.attribute("data-type") == Some("number") {
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            } else {
                keyed.sort_by(|a, b| a.1.cmp(&b.1));
            }
            if sort.attribute("order") == Some("descending") {
                keyed.reverse();
            }
            nodes = keyed.into_iter().map(|(_, _, node)| node).collect();
        }
        let size = nodes.len();
        for (at, node) in nodes.into_iter().enumerate() {
            let place = Place { node, position: at + 1, size, ..place };
            self.parts_of(&element.parts, scope, place, out)?;
        }
        Ok(())
    }

    /// Evaluates the text of an attribute, with expressions in braces.
    fn template_text(&self, text: &str, scope: &Scope, place: Place) -> Result<String, EvaluationError> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((expression, after)) = after.split_once('}') else {
                return Err(format!("`{text}` in the stylesheet has no closing brace.").into());
            };
            out.push_str(&self.value(expression, scope, place)?.text(self.document));
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// Marks the values that were passed to a template, for its parameters.
const PASSED: &str = "passed ";

fn text_of(element: &Element) -> String {
    let mut out = String::new();
    for part in &element.parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Element(element) => out.push_str(&text_of(element)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of three by three squares, with the main features that stylesheets use.
    const BOARD: &str = include_str!("../../tests/pictures/board.xsl");

    fn html(sheet: &str, facts: &[&str]) -> Result<String, StylesheetError> {
        let facts: Vec<String> = facts.iter().map(|fact| fact.to_string()).collect();
        Stylesheet::read(sheet, "")?.html(&facts, 300, &|path| {
            (path == "images/x.png").then(|| "data:image/png;base64,AA==".to_string())
        })
    }

    fn sheet(body: &str) -> String {
        format!(
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>\
             <xsl:param name='width' select='400'/><xsl:template match='/'>{body}</xsl:template></xsl:stylesheet>"
        )
    }

    #[test]
    fn a_board_is_drawn_square_by_square() {
        let html = html(BOARD, &["(cell 1 1 x)", "(cell 2 3 o)", "(control x)"]).unwrap();
        assert_eq!(html.matches("<td ").count(), 9);
        assert!(html.contains("id=\"cell_23\">O</td>"), "{html}");
        assert!(html.contains("<img src=\"data:image/png;base64,AA==\" class=\"piece\" />"), "{html}");
        assert!(html.contains("To move: x"), "{html}");
        assert!(html.contains("width: 100px"), "{html}");
        assert!(html.contains("Most: 2"), "{html}");
    }

    #[test]
    fn expressions_follow_the_standard() {
        let facts = ["(cell 1 2 x)", "(cell 2 2 o)", "(cell 3 1 (pair a b))", "over"];
        for (expression, expected) in [
            ("1 + 2 * 3", "7"),
            ("7 mod 4 - 1", "2"),
            ("(1 + 2) div 4", "0.75"),
            ("-3 + 1", "-2"),
            ("//fact[relation='cell' and argument[2]=2 and argument[3]='o']/argument[1]", "2"),
            ("/state/fact[1]/argument[3]", "x"),
            ("state/fact[argument[3]/relation='pair']/argument[3]/argument[2]", "b"),
            ("//fact[.='over']", "over"),
            ("not(//fact[argument=9])", "true"),
            ("translate('abc', 'ac', 'A')", "Ab"),
            ("substring('board', 2, 3)", "oar"),
            ("concat('a', 1, true())", "a1true"),
            ("count(//argument[1])", "4"),
            ("'a' != 'b' or $missing", "true"),
            ("2 &lt; 1", "false"),
            ("string(//fact[2]/argument[1] + $width)", "302"),
            ("//argument[3]/..[argument[1]=2]/relation", "cell"),
        ] {
            let html =
                html(&sheet(&format!("<b><xsl:value-of select=\"{expression}\"/></b>")), &facts).unwrap();
            assert_eq!(html, format!("<b>{expected}</b>"), "{expression}");
        }
    }

    #[test]
    fn what_could_act_does_not_come_through() {
        let body = "<div onclick='x()' style='background: url(http://evil/x.png); color: red'>\
            <script>alert(1)</script><a href='http://evil/'>go</a><iframe src='x'/>\
            <img src='http://evil/x.png' onerror='x()'/><style>td { background: u\\rl(//evil) } b{color:red}</style>\
            <xsl:element name='script'/></div>";
        let error = html(&sheet(body), &[]).unwrap_err().to_string();
        assert!(error.contains("<xsl:element>"), "{error}");
        let body = body.replace("<xsl:element name='script'/>", "<xsl:value-of select='//fact'/>");
        let html = html(&sheet(&body), &["<img/src=x>"]).unwrap();
        for bad in ["script", "evil", "onclick", "onerror", "iframe", "href", "alert", "<img"] {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
        assert!(html.contains("&lt;") && html.contains("go"), "{html}");
    }

    #[test]
    fn runaway_stylesheets_end() {
        let forever = "<xsl:stylesheet xmlns:xsl='x'><xsl:template match='/'><xsl:call-template name='a'/></xsl:template>\
            <xsl:template name='a'><b/><xsl:call-template name='a'/></xsl:template></xsl:stylesheet>";
        assert!(html(forever, &[]).unwrap_err().to_string().contains("deeply"));
        let facts: Vec<String> = (0..200).map(|number| format!("(f {number})")).collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let body = "<xsl:for-each select='//fact'><xsl:for-each select='//fact'><xsl:for-each select='//fact'>\
            <xsl:if test='//fact[argument=//argument]'><b/></xsl:if></xsl:for-each></xsl:for-each></xsl:for-each>";
        assert!(html(&sheet(body), &facts).is_err());
        for bad in ["", "<a/>", "<xsl:stylesheet>", "</a>", "<xsl:stylesheet a='&x;'/>", "<xsl:stylesheet/>"]
        {
            assert!(html(bad, &[]).is_err(), "{bad}");
        }
        for bad in ["(((", "fact[", "'x", "1 +", "//", "nope()", "a b", "#", "$", "@x"] {
            assert!(html(&sheet(&format!("<xsl:value-of select=\"{bad}\"/>")), &[]).is_err(), "{bad}");
        }
        let deep = format!("{}1{}", "(".repeat(5000), ")".repeat(5000));
        assert!(html(&sheet(&format!("<xsl:value-of select=\"{deep}\"/>")), &[]).is_err());
    }
}
