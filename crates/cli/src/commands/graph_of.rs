//! `tafl graph-of`: the graph of the states of a game.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::bail;
use clap::Args;
use rustc_hash::FxHashMap;
use tafl::game::perft::JointMoves;
use tafl::game::{AnyGame, AnyScratch, AnyState, Fault, Game, Role, RoleId};
use tafl::library::Loaded;
use tafl::picture::board::{Layout, samples};

use crate::arguments::{Arguments, GameArguments, StateArguments};
use crate::draw;
use crate::numbers::number_in;
use crate::screen::{Screen, counted};

/// Draw the graph of reachable states
///
/// Prints a list of states with their moves, or with --dot the input for Graphviz.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl graph-of tic_tac_toe --depth 2 --dot | dot -Tsvg > graph.svg")]
pub(crate) struct GraphOf {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    state: StateArguments,
    /// The number of joint moves
    #[arg(long, short, value_name = "N", value_parser = number_in::<u32>(0..=u32::MAX, 3))]
    depth: u32,
    /// Print the graph in the Graphviz language
    #[arg(long)]
    dot: bool,
    /// Give up if there are more states than this
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number_in::<usize>(1..=usize::MAX, 10000))]
    max_states: usize,
}

struct Node {
    facts: Vec<String>,
    depth: u32,
    /// The goals by role, if the state is terminal.
    goals: Option<Vec<String>>,
    dead_end: bool,
    /// The joint moves and the indices of the states they lead to.
    moves: Vec<(String, usize)>,
}

struct Explore<'a>(&'a GraphOf, &'a Loaded);

impl GraphOf {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let (loaded, chosen) = self.game.load(arguments)?;
        let (nodes, layout) = Explore(self, &loaded).run(&chosen.game)?;
        let text = if self.dot { dot(&loaded.source.name, &nodes, &layout) } else { list(&nodes) };
        Ok(screen.out.write_all(text.as_bytes())?)
    }
}

impl Explore<'_> {
    fn run(self, game: &AnyGame) -> anyhow::Result<(Vec<Node>, Layout)> {
        let Explore(wanted, loaded) = self;
        let first = wanted.state.of(game)?;
        let mut numbers: FxHashMap<AnyState, usize> = FxHashMap::default();
        let mut states = vec![first.clone()];
        let mut scratch = game.scratch();
        let mut nodes = vec![node(game, &mut scratch, &first, 0)?];
        numbers.insert(first, 0);
        let mut at = 0;
        while at < states.len() {
            let (state, depth) = (states[at].clone(), nodes[at].depth);
            if depth < wanted.depth && nodes[at].goals.is_none() {
                let mut joints = JointMoves::of(game, &mut scratch, &state)?;
                while let Some(joint) = joints.next() {
                    let next = game.next(&mut scratch, &state, joint)?;
                    let number = *numbers.entry(next.clone()).or_insert(states.len());
                    if number == states.len() {
                        if states.len() >= wanted.max_states {
                            bail!(
                                "There are more than {} states. Use a smaller --depth or a larger --max-states.",
                                wanted.max_states
                            );
                        }
                        nodes.push(node(game, &mut scratch, &next, depth + 1)?);
                        states.push(next);
                    }
                    let texts = RoleId::all(joint.len()).zip(joint).map(|(role, &m)| game.move_text(role, m));
                    let texts: Vec<String> = texts.collect();
                    nodes[at].moves.push((short(&texts), number));
                }
            }
            at += 1;
        }
        let mut seen: Vec<Vec<String>> = nodes.iter().take(100).map(|node| node.facts.clone()).collect();
        seen.insert(0, game.facts(&game.initial()));
        seen.extend(samples(game, &mut scratch)?);
        Ok((nodes, Layout::of(loaded, &seen)))
    }
}

fn node(game: &AnyGame, scratch: &mut AnyScratch, state: &AnyState, depth: u32) -> Result<Node, Fault> {
    let roles = || RoleId::all(game.roles().len()).zip(game.roles());
    let goals = if game.is_terminal(scratch, state)? {
        let goal = |(role, name): (RoleId, &Role)| {
            let goal = game.goal(scratch, state, role)?;
            Ok(format!("{name} {}", goal.map_or("?".to_string(), |goal| goal.to_string())))
        };
        Some(roles().map(goal).collect::<Result<_, Fault>>()?)
    } else {
        None
    };
    let dead_end = goals.is_none() && JointMoves::of(game, scratch, state)?.is_dead_end();
    Ok(Node { facts: game.facts(state), depth, goals, dead_end, moves: Vec::new() })
}

/// Joins the moves, without those that only wait.
fn short(joint: &[String]) -> String {
    let moving: Vec<&str> = joint.iter().map(String::as_str).filter(|text| *text != "noop").collect();
    if moving.is_empty() { joint.join(" ") } else { moving.join(" ") }
}

fn list(nodes: &[Node]) -> String {
    let mut text = String::new();
    for (number, node) in nodes.iter().enumerate() {
        let _ =
            writeln!(text, "{number} (depth {}): {}", node.depth, tafl::library::write_state(&node.facts));
        if let Some(goals) = &node.goals {
            let _ = writeln!(text, "  over: {}", goals.join(", "));
        }
        if node.dead_end {
            let _ = writeln!(text, "  dead end: a role has no legal move");
        }
        for (joint, to) in &node.moves {
            let _ = writeln!(text, "  {joint} -> {to}");
        }
    }
    let moves: usize = nodes.iter().map(|node| node.moves.len()).sum();
    let (states, moves) = (counted(nodes.len() as u64, "state"), counted(moves as u64, "move"));
    let _ = writeln!(text, "{states}, {moves}");
    text
}

fn dot(name: &str, nodes: &[Node], layout: &Layout) -> String {
    let mut text = format!("digraph {} {{\n", quoted(name));
    text.push_str("  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n");
    for (number, node) in nodes.iter().enumerate() {
        let mut label = draw::state::state(layout, &node.facts);
        let mut style = "";
        if let Some(goals) = &node.goals {
            let _ = writeln!(label, "  {}", goals.join(", "));
            style = ", peripheries=2";
        } else if node.dead_end {
            label.push_str("  dead end\n");
            style = ", style=dashed";
        }
        let _ = writeln!(text, "  s{number} [label={}{style}];", quoted(&label));
    }
    for (number, node) in nodes.iter().enumerate() {
        for (joint, to) in &node.moves {
            let _ = writeln!(text, "  s{number} -> s{to} [label={}];", quoted(joint));
        }
    }
    text.push_str("}\n");
    text
}

/// Quotes a string for Graphviz, with left-aligned lines.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l"))
}
