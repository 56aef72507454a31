//! A grammar as a game.
//!
//! Nodes of type `Player` in the start graph are the players, the one with the
//! flag `turn` moves, those with the flag `win` at the end have won, and a node
//! of type `random` stands for chance. Every transition is a move, except that
//! of conditions and of `filter`, which shows the player to move what it may
//! see. Nodes of the start graph keep their identity, so that a move has the
//! same name in every state; nodes that came later are told apart only by what
//! they are connected to.

mod inspect;
mod memory;
mod options;
mod places;
mod random;
mod settle;
mod sight;
mod tables;
mod texts;
mod walk;

pub use inspect::{Inspection, Mistake};

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use game::{Batches, Fault, Game, Goal, MoveId, Outcomes, PerceptId, Playouts, Role, RoleId, Stepped};
use rustc_hash::FxHasher;

use crate::GrammarError;
use crate::bundle::Bundle;
use crate::engine::Config;
use crate::grammar::Grammar;
use crate::value::Item;
use crate::vocabulary::LabelId;

use memory::Memory;
use places::Places;
use tables::{Moves, Percepts};
use walk::Walk;

/// The move of who is not to move.
const NOOP: &str = "noop";

/// A game whose rules are a graph grammar.
pub struct GraphGame {
    grammar: Grammar,
    roles: Vec<Role>,
    /// The node of each role.
    players: Vec<Item>,
    chance: Option<usize>,
    turn: Option<LabelId>,
    win: Option<LabelId>,
    /// Whether there is an action `filter`.
    filter: bool,
    /// The label by which players observe nodes, where the grammar has it.
    observes: Option<LabelId>,
    moves: Moves,
    percepts: Percepts,
    places: Places,
    memory: Memory,
    /// Identifies the game, so that scratch memory of another one is recognised.
    id: u64,
    initial: GraphState,
}

/// Scratch memory of a [`GraphGame`]: a graph that is modified in place.
#[derive(Default)]
pub struct GraphScratch(Option<(u64, Walk)>);

impl GraphScratch {
    /// Takes the room to play in. It is not put back after a fault, which may leave it in any condition.
    fn take(&mut self, game: &GraphGame) -> Walk {
        let kept = self.0.take().filter(|(owner, _)| *owner == game.id);
        kept.map_or_else(|| Walk::new(game), |(_, walk)| walk)
    }

    fn put_back(&mut self, game: &GraphGame, walk: Walk) {
        self.0 = Some((game.id, walk));
    }
}

/// The number of games made.
static GAMES: AtomicU64 = AtomicU64::new(0);

struct Inner {
    config: Config,
    hash: u64,
    /// A number of its own.
    id: u64,
    /// Whether the nodes that came are told apart by what they are connected to.
    distinct: bool,
    view: OnceLock<Result<View, Fault>>,
    /// What `filter` shows the player to move.
    shown: OnceLock<Result<Box<[PerceptId]>, Fault>>,
}

/// What is asked of a state again and again.
#[derive(Debug, Clone)]
struct View {
    /// Who is to move; none at the end.
    turn: Option<usize>,
    /// Its moves in the order of their text.
    moves: Vec<MoveId>,
}

/// A state of a grammar's game.
#[derive(Clone)]
pub struct GraphState(Arc<Inner>);

impl PartialEq for GraphState {
    fn eq(&self, other: &GraphState) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.config == other.0.config)
    }
}

impl Eq for GraphState {}

impl Hash for GraphState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

impl fmt::Debug for GraphState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} at {}", self.0.config.graph, self.0.config.term)
    }
}

impl fmt::Debug for GraphGame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "GraphGame({})", self.grammar.name)
    }
}

/// How many states were made.
static STATES: AtomicU64 = AtomicU64::new(0);

impl GraphState {
    fn new(config: Config, distinct: bool) -> GraphState {
        let mut hasher = FxHasher::default();
        config.hash(&mut hasher);
        let (hash, id) = (hasher.finish(), STATES.fetch_add(1, Ordering::Relaxed));
        let (view, shown) = (OnceLock::new(), OnceLock::new());
        GraphState(Arc::new(Inner { config, hash, id, distinct, view, shown }))
    }

    /// About how much memory it takes.
    fn bytes(&self) -> usize {
        self.0.config.graph.bytes() + 400
    }

    /// The graph, to be drawn.
    pub fn graph(&self) -> &crate::Graph {
        &self.0.config.graph
    }
}

impl GraphGame {
    /// Makes a game of a grammar. `start` names another start graph than its settings do.
    pub fn new(bundle: &Bundle, start: Option<&str>) -> Result<GraphGame, GrammarError> {
        GraphGame::of(Grammar::new(bundle, start)?)
    }

    /// Makes a game of a grammar that was read.
    pub fn of(mut grammar: Grammar) -> Result<GraphGame, GrammarError> {
        // A question of a game must be answered soon.
        grammar.limits.search = 20_000_000;
        grammar.limits.inner_steps = 100_000;
        grammar.limits.held = 10_000_000;
        let (mut roles, mut players, mut chance) = (Vec::new(), Vec::new(), None);
        for node in grammar.start.nodes() {
            let kind = grammar.vocabulary.type_name(grammar.start.type_of(node));
            let below = |name: &str| {
                let kind = grammar.start.type_of(node) as usize;
                grammar.vocabulary.find_type(name).is_some_and(|above| grammar.vocabulary.below(above)[kind])
            };
            if Role::named(kind.to_ascii_lowercase()).is_chance() {
                if chance.replace(players.len()).is_some() {
                    return Err(GrammarError::new(&grammar.name, "more than one node represents chance."));
                }
                roles.push(Role::chance());
                players.push(node);
            } else if below("Player") {
                let named = grammar.named[node.index()];
                let number = players.len() + 1 - usize::from(chance.is_some());
                roles.push(Role::named(if named {
                    texts::symbol(&grammar.node_name(node))
                } else {
                    format!("player{number}")
                }));
                players.push(node);
            }
        }
        if players.len() == usize::from(chance.is_some()) {
            let text = "this grammar is not a game: the start graph has no node of type `Player`.";
            return Err(GrammarError::new(&grammar.name, text));
        }
        let filter = grammar.rules.iter().any(|rule| rule.name == "filter")
            || grammar.control.recipes().any(|name| name == "filter");
        let initial = GraphState::new(grammar.initial(), true);
        Ok(GraphGame {
            turn: grammar.vocabulary.find_flag("turn"),
            win: grammar.vocabulary.find_flag("win"),
            observes: grammar.vocabulary.find_label("observes"),
            filter,
            roles,
            players,
            chance,
            moves: Moves::new(),
            percepts: Percepts::default(),
            places: Places::default(),
            memory: Memory::new(),
            id: GAMES.fetch_add(1, Ordering::Relaxed),
            initial,
            grammar,
        })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn has_flag(&self, config: &Config, flag: Option<LabelId>, node: Item) -> bool {
        flag.is_some_and(|flag| config.graph.has(flag, node, node))
    }

    /// Who has the turn.
    fn turn_of(&self, config: &Config) -> Result<usize, Fault> {
        let mut holders =
            (0..self.players.len()).filter(|&role| self.has_flag(config, self.turn, self.players[role]));
        match (holders.next(), holders.next()) {
            (Some(role), None) => Ok(role),
            (None, _) => {
                Err(Fault::BadState("Nobody has the flag `turn` in a state that is not final.".to_string()))
            }
            (Some(a), Some(b)) => {
                let text = format!("Both {} and {} have the flag `turn`.", self.roles[a], self.roles[b]);
                Err(Fault::BadState(text))
            }
        }
    }

    fn view<'s>(&self, scratch: &mut GraphScratch, state: &'s GraphState) -> Result<&'s View, Fault> {
        let view = state.0.view.get_or_init(|| {
            let mut walk = scratch.take(self);
            walk.start(&state.0.config);
            let view = if walk.list(self)? == 0 {
                View { turn: None, moves: Vec::new() }
            } else {
                let turn = self.turn_of(&state.0.config)?;
                walk.reached(self, |mv, next| self.memory.put(state, mv, &self.memory.one(next)))?;
                View { turn: Some(turn), moves: walk.different() }
            };
            scratch.put_back(self, walk);
            Ok(view)
        });
        view.as_ref().map_err(Fault::clone)
    }

    fn goals<'s>(&'s self, config: &'s Config) -> impl Iterator<Item = Goal> + 's {
        let is_player = |role: usize| self.chance != Some(role);
        let won = move |role: usize| is_player(role) && self.has_flag(config, self.win, self.players[role]);
        let winners = (0..self.players.len()).filter(|&role| won(role)).count();
        (0..self.players.len()).map(move |role| match winners {
            _ if !is_player(role) => 0,
            0 => 50,
            winners if won(role) => 100 / winners as Goal,
            _ => 0,
        })
    }
}

impl Game for GraphGame {
    type State = GraphState;
    type Scratch = GraphScratch;

    fn scratch(&self) -> GraphScratch {
        GraphScratch::default()
    }

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn initial(&self) -> GraphState {
        self.initial.clone()
    }

    fn is_terminal(&self, scratch: &mut GraphScratch, state: &GraphState) -> Result<bool, Fault> {
        Ok(self.view(scratch, state)?.turn.is_none())
    }

    fn legal(
        &self,
        scratch: &mut GraphScratch,
        state: &GraphState,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault> {
        let view = self.view(scratch, state)?;
        moves.clear();
        match view.turn {
            None => {}
            Some(turn) if turn == role.index() => moves.extend_from_slice(&view.moves),
            Some(_) => moves.push(Moves::NOOP),
        }
        Ok(())
    }

    fn next(
        &self,
        scratch: &mut GraphScratch,
        state: &GraphState,
        joint: &[MoveId],
    ) -> Result<GraphState, Fault> {
        let turn = match state.0.view.get() {
            Some(Ok(View { turn: Some(turn), .. })) => *turn,
            _ => self.turn_of(&state.0.config)?,
        };
        let mv = joint[turn];
        if let Some(next) = self.memory.step(state, mv) {
            return Ok(next);
        }
        let mut walk = scratch.take(self);
        let next = self.memory.one(walk.after(self, state, turn, mv)?);
        scratch.put_back(self, walk);
        self.memory.put(state, mv, &next);
        Ok(next)
    }

    fn goal(&self, _: &mut GraphScratch, state: &GraphState, role: RoleId) -> Result<Option<Goal>, Fault> {
        Ok(self.goals(&state.0.config).nth(role.index()))
    }

    fn percepts(
        &self,
        scratch: &mut GraphScratch,
        state: &GraphState,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        percepts.clear();
        if self.has_percepts() {
            if !self.is_chance(role.index()) {
                let next = self.next(scratch, state, joint)?;
                self.sight(scratch, &next, role.index(), percepts)?;
            }
        } else {
            self.moves_seen(joint, percepts);
        }
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.filter || self.observes.is_some()
    }

    fn move_text(&self, _role: RoleId, mv: MoveId) -> String {
        self.moves.text(mv)
    }

    fn find_move(&self, _role: RoleId, text: &str) -> Option<MoveId> {
        self.moves.find(text).or_else(|| self.read_move(text))
    }

    fn percept_text(&self, _role: RoleId, percept: PerceptId) -> String {
        self.percepts.text(percept)
    }

    fn find_percept(&self, _role: RoleId, text: &str) -> Option<PerceptId> {
        Some(self.percepts.of_text(text))
    }

    fn facts(&self, state: &GraphState) -> Vec<String> {
        self.facts_of(&state.0.config)
    }

    fn state(&self, facts: &[String]) -> Result<GraphState, Fault> {
        Ok(self.memory.one(GraphState::new(self.settled(self.read_state(facts)?)?, false)))
    }

    fn batches(&self) -> Option<&dyn Batches<GraphState, GraphScratch>> {
        Some(self)
    }
}

impl Batches<GraphState, GraphScratch> for GraphGame {
    fn steps(
        &self,
        scratch: &mut GraphScratch,
        states: &[GraphState],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<GraphState>>, Fault> {
        let roles = self.roles.len();
        let step = |(state, joint): (&GraphState, &Vec<MoveId>)| {
            let (mut legal, mut percepts) = (vec![Vec::new(); roles], vec![Vec::new(); roles]);
            let next = self.next(scratch, state, joint)?;
            for role in RoleId::all(roles) {
                self.legal(scratch, &next, role, &mut legal[role.index()])?;
                if self.has_percepts() {
                    self.sight(scratch, &next, role.index(), &mut percepts[role.index()])?;
                } else {
                    self.moves_seen(joint, &mut percepts[role.index()]);
                }
            }
            Ok(Stepped { terminal: self.is_terminal(scratch, &next)?, state: next, legal, percepts })
        };
        states.iter().zip(joints).map(step).collect()
    }

    fn playouts(
        &self,
        scratch: &mut GraphScratch,
        request: &Playouts<'_, GraphState>,
    ) -> Result<Outcomes, Fault> {
        self.play_many(scratch, request)
    }
}
