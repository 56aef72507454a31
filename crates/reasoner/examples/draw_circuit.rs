//! Draws a part of a game's circuit as SVG, on standard output; without the name
//! of a part it prints how large everything is.
//!
//! ```text
//! cargo run --example draw_circuit -- games/tic_tac_toe/rules.kif
//! cargo run --example draw_circuit -- games/tic_tac_toe/rules.kif terminal
//! cargo run --example draw_circuit -- games/tic_tac_toe/rules.kif \
//!     --phase 0 'next (cell 1 1 x)' 'legal x (mark 1 1)'
//! ```
//!
//! Outputs are named `terminal`, `next FLUENT`, `legal ROLE MOVE` and `goal ROLE
//! VALUE`. The picture says the same as the and-inverter graph in fewer boxes:
//! conjunctions of conjunctions are one box, and a gate that is mostly read
//! inverted is drawn as the disjunction it then is. A dot is an inversion.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use reasoner::circuit::{Aig, Circuit, Circuits, Fact, Lit, Node};
use reasoner::ground::Ground;
use rules::{Rules, Strictness};

const ROW: f64 = 30.0;
const HEIGHT: f64 = 22.0;
const GAP: f64 = 90.0;
const LETTER: f64 = 7.3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() {
        return Err("usage: draw_circuit RULES.kif [--phase N] [OUTPUT…]".into());
    }
    let text = std::fs::read_to_string(words.remove(0))?;
    let checked = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient);
    let ground = Ground::new(Arc::new(checked.rules.ok_or("the sheet has errors")?), Default::default())?;
    if words.is_empty() {
        let circuits = Circuits::new(&ground);
        return Ok(std::io::stdout().write_all(sizes(&ground, &circuits).as_bytes())?);
    }
    // Pictures show the rules, not what else is proven of the game.
    let circuits = Circuits::plain(&ground);
    let mut circuit = &circuits.general;
    if words.len() > 2 && words[0] == "--phase" {
        circuit = circuits.special.get(words[1].parse::<usize>()?).ok_or("there is no such phase")?;
        words.drain(..2);
    }
    let mut roots = Vec::new();
    for name in words {
        let lit = output(&ground, circuit, &name).ok_or_else(|| format!("there is no output `{name}`"))?;
        roots.push((name, lit));
    }
    let svg = Picture::new(&ground, &circuit.aig, &roots).svg();
    Ok(std::io::stdout().write_all(svg.as_bytes())?)
}

/// How much there is of everything.
fn sizes(ground: &Ground, circuits: &Circuits) -> String {
    let moves: Vec<usize> = ground.moves.iter().map(Vec::len).collect();
    let phases: Vec<usize> = circuits.special.iter().map(Circuit::gate_count).collect();
    let groups = circuits.store.facts.iter().filter(|fact| matches!(fact, Fact::AtMostOne(_))).count();
    format!(
        "{} atoms, {} instances, {} fluents ({} stored, {groups} groups), {moves:?} moves, {} gates, {phases:?} gates by phase, {} regions\n",
        ground.atoms(),
        ground.instance_count(),
        ground.fluents.len(),
        circuits.store.fluents.len(),
        circuits.general.gate_count(),
        circuits.general.aig.regions.len()
    )
}

/// The wire that a name means.
fn output(ground: &Ground, circuit: &Circuit, name: &str) -> Option<Lit> {
    let outputs = &circuit.outputs;
    let (kind, rest) = name.split_once(' ').unwrap_or((name, ""));
    let role = |name: &str| ground.rules.roles.iter().position(|&role| ground.rules.name(role) == name);
    match kind {
        "terminal" => Some(outputs.terminal),
        "next" => ground.fluents.iter().position(|&f| ground.text(f) == rest).map(|f| outputs.next[f]),
        "legal" => {
            let (role, text) = (role(rest.split_once(' ')?.0)?, rest.split_once(' ')?.1);
            ground.moves[role].iter().position(|&m| ground.text(m) == text).map(|m| outputs.legal[role][m])
        }
        "goal" => {
            let (role, value) = (role(rest.split_once(' ')?.0)?, rest.split_once(' ')?.1.parse().ok()?);
            outputs.goals[role].iter().find(|(v, _)| *v == value).map(|(_, lit)| *lit)
        }
        _ => None,
    }
}

/// A box of the picture, and which boxes it reads: inverted or not.
struct Shape {
    label: String,
    fill: &'static str,
    inputs: Vec<(usize, bool)>,
    column: usize,
    y: f64,
}

struct Picture<'a> {
    ground: &'a Ground,
    aig: &'a Aig,
    /// For each node of the cones how often it is read as it is, and inverted.
    uses: BTreeMap<usize, [usize; 2]>,
    /// The gates that are drawn as disjunctions, which show their inverse.
    is_or: BTreeSet<usize>,
    shapes: Vec<Shape>,
    /// For each node its box.
    drawn: BTreeMap<usize, usize>,
}

impl<'a> Picture<'a> {
    fn new(ground: &'a Ground, aig: &'a Aig, roots: &[(String, Lit)]) -> Picture<'a> {
        let (uses, is_or, shapes, drawn) = Default::default();
        let mut picture = Picture { ground, aig, uses, is_or, shapes, drawn };
        picture.orient(roots);
        let outputs: Vec<(usize, bool)> = roots.iter().map(|(_, lit)| picture.input(*lit)).collect();
        let column = picture.shapes.iter().map(|s| s.column).max().unwrap_or(0) + 1;
        for ((name, _), input) in roots.iter().zip(outputs) {
            let shape = Shape { label: name.clone(), fill: "#d5efd5", inputs: vec![input], column, y: 0.0 };
            picture.shapes.push(shape);
        }
        picture.place();
        picture
    }

    /// Counts uses, and decides from the outputs down which gates are disjunctions.
    fn orient(&mut self, roots: &[(String, Lit)]) {
        let mut wanted: BTreeMap<usize, i32> = BTreeMap::new();
        for (_, lit) in roots {
            self.uses.entry(lit.node()).or_default()[usize::from(lit.is_inverted())] += 1;
            *wanted.entry(lit.node()).or_default() += if lit.is_inverted() { -1 } else { 1 };
        }
        // A gate has a higher number than what it reads.
        for node in (0..self.aig.len()).rev() {
            let (true, Node::And(a, b)) = (self.uses.contains_key(&node), self.aig.node(node)) else {
                continue;
            };
            let is_or = wanted.get(&node).is_some_and(|&sum| sum < 0);
            if is_or {
                self.is_or.insert(node);
            }
            for lit in [a, b] {
                self.uses.entry(lit.node()).or_default()[usize::from(lit.is_inverted())] += 1;
                *wanted.entry(lit.node()).or_default() += if lit.is_inverted() == is_or { 1 } else { -1 };
            }
        }
    }

    /// The box of a wire, made with all it needs, and whether the wire is its inverse.
    fn input(&mut self, lit: Lit) -> (usize, bool) {
        if !self.drawn.contains_key(&lit.node()) {
            let made = self.shape(lit.node());
            self.drawn.insert(lit.node(), made);
        }
        (self.drawn[&lit.node()], self.is_or.contains(&lit.node()) != lit.is_inverted())
    }

    fn shape(&mut self, node: usize) -> usize {
        let (label, fill) = match self.aig.node(node) {
            Node::False => ("never".to_string(), "#eeeeee"),
            Node::Fluent(f) => (self.ground.text(self.ground.fluents[f as usize]), "#d6e6f8"),
            Node::Set(number) => (self.set(number), "#fbe3c0"),
            Node::Latch(region, place) => (format!("region {region}, atom {place}"), "#eedcf5"),
            Node::And(..) => return self.gate(node),
        };
        self.shapes.push(Shape { label, fill, inputs: Vec::new(), column: 0, y: 0.0 });
        self.shapes.len() - 1
    }

    fn set(&self, number: u32) -> String {
        let (role, moves) = self.aig.set(number);
        let name = self.ground.rules.name(self.ground.rules.roles[role as usize]);
        let text = |m: &u32| self.ground.text(self.ground.moves[role as usize][*m as usize]);
        match moves {
            [one] => format!("{name} does {}", text(one)),
            [first, _] => format!("{name} does {} or 1 other", text(first)),
            [first, rest @ ..] => format!("{name} does {} or {} others", text(first), rest.len()),
            [] => format!("{name} does nothing"),
        }
    }

    fn gate(&mut self, node: usize) -> usize {
        let is_or = self.is_or.contains(&node);
        let mut parts = Vec::new();
        let mut work = vec![Lit::of(node)];
        while let Some(lit) = work.pop() {
            match self.aig.node(lit.node()) {
                Node::And(a, b)
                    if !lit.is_inverted() && (lit.node() == node || self.uses[&lit.node()] == [1, 0]) =>
                {
                    work.extend([b, a]);
                }
                _ => parts.push(lit),
            }
        }
        let mut inputs: Vec<(usize, bool)> = parts.into_iter().map(|lit| self.input(lit)).collect();
        inputs.iter_mut().for_each(|(_, inverse)| *inverse ^= is_or);
        let column = inputs.iter().map(|&(shape, _)| self.shapes[shape].column).max().unwrap_or(0) + 1;
        let (label, fill) = if is_or { ("or", "#e4e4e4") } else { ("and", "#ffffff") };
        self.shapes.push(Shape { label: label.to_string(), fill, inputs, column, y: 0.0 });
        self.shapes.len() - 1
    }

    /// Gives every box its height: near what it reads, apart from its neighbours.
    fn place(&mut self) {
        let last = self.shapes.iter().map(|s| s.column).max().unwrap_or(0);
        let members = |column: usize, shapes: &[Shape]| -> Vec<usize> {
            (0..shapes.len()).filter(|&i| shapes[i].column == column).collect()
        };
        let rows = (0..=last).map(|c| members(c, &self.shapes).len()).max().unwrap_or(1);
        let tall = rows as f64 * ROW;
        let mut inputs = members(0, &self.shapes);
        inputs.sort_by_key(|&i| self.shapes[i].label.clone());
        let step = tall / inputs.len() as f64;
        for (number, i) in inputs.into_iter().enumerate() {
            self.shapes[i].y = (number as f64 + 0.5) * step;
        }
        for column in 1..=last {
            let wish = |i: &usize| {
                let inputs = &self.shapes[*i].inputs;
                inputs.iter().map(|&(from, _)| self.shapes[from].y).sum::<f64>() / inputs.len() as f64
            };
            let mut wishes: Vec<(f64, usize)> =
                members(column, &self.shapes).iter().map(|i| (wish(i), *i)).collect();
            wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut next = f64::MIN;
            let mut excess = 0.0;
            for (wish, i) in &wishes {
                self.shapes[*i].y = wish.max(next);
                excess += self.shapes[*i].y - wish;
                next = self.shapes[*i].y + ROW;
            }
            // All move up together, as far as they were pushed down on average.
            let first = self.shapes[wishes[0].1].y;
            let up = (excess / wishes.len() as f64).min(first - ROW / 2.0);
            wishes.iter().for_each(|(_, i)| self.shapes[*i].y -= up);
        }
    }

    fn svg(&self) -> String {
        let last = self.shapes.iter().map(|s| s.column).max().unwrap_or(0);
        let width = |shape: &Shape| shape.label.chars().count() as f64 * LETTER + 16.0;
        let mut left = vec![12.0];
        for column in 0..=last {
            let widest = self.shapes.iter().filter(|s| s.column == column).map(width).fold(0.0, f64::max);
            left.push(left[column] + widest + GAP);
        }
        let right = left[last + 1] - GAP + 12.0;
        let bottom = self.shapes.iter().map(|s| s.y).fold(0.0, f64::max) + ROW;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {right:.0} {bottom:.0}\" width=\"{right:.0}\" \
             height=\"{bottom:.0}\" font-family=\"monospace\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        for shape in &self.shapes {
            let (x2, step) = (left[shape.column], (HEIGHT - 6.0) / shape.inputs.len().max(1) as f64);
            let mut inputs: Vec<&(usize, bool)> = shape.inputs.iter().collect();
            inputs.sort_by(|a, b| self.shapes[a.0].y.total_cmp(&self.shapes[b.0].y));
            for (number, &&(from, inverse)) in inputs.iter().enumerate() {
                let from = &self.shapes[from];
                let (x1, y1) = (left[from.column] + width(from), from.y);
                let y2 = shape.y - HEIGHT / 2.0 + 3.0 + step * (number as f64 + 0.5);
                let bend = (x1 + x2) / 2.0;
                let _ = writeln!(
                    out,
                    "<path d=\"M{x1:.0} {y1:.1} C{bend:.0} {y1:.1} {bend:.0} {y2:.1} {x2:.0} {y2:.1}\" \
                     fill=\"none\" stroke=\"#777777\"/>"
                );
                if inverse {
                    let _ = writeln!(
                        out,
                        "<circle cx=\"{:.0}\" cy=\"{y2:.1}\" r=\"3\" fill=\"#c02020\"/>",
                        x2 - 4.0
                    );
                }
            }
        }
        for shape in &self.shapes {
            let (x, y, wide) = (left[shape.column], shape.y - HEIGHT / 2.0, width(shape));
            let label = shape.label.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(
                out,
                "<rect x=\"{x:.0}\" y=\"{y:.1}\" width=\"{wide:.0}\" height=\"{HEIGHT}\" rx=\"4\" fill=\"{}\" \
                 stroke=\"#444444\"/>\n<text x=\"{:.0}\" y=\"{:.1}\">{label}</text>",
                shape.fill,
                x + 8.0,
                y + 15.0
            );
        }
        out.push_str("</svg>\n");
        out
    }
}
