//! The value of a game with best play.
//!
//! If there are few enough reachable positions, all of them are visited. A puzzle is finished as soon as a
//! plan for 100 is found (`solve_puzzle`). Larger games with turns are solved by proving what each side can
//! force. Games with hidden information are solved by [`crate::solve_hidden`].

use game::{AnyGame, AnyState, Deadline, Fault, Game, Goal, MoveId, RoleId};
use players::exact::{Explored, Graph, Guarantees, Limits, Progress, explore, verdict};
use serde::Serialize;

use crate::solve_hidden::{Advice, Mixed};

/// The maximum number of moves in the reported line of best play.
const LINE: usize = 200;

/// Limits for solving.
#[derive(Debug, Clone)]
pub struct SolveLimits {
    /// The maximum number of positions to visit.
    pub positions: usize,
    /// The maximum number of positions that a proof or a search for long plans stores; with 0, neither is
    /// tried.
    pub proof: usize,
    /// When to stop.
    pub deadline: Deadline,
}

/// The progress of solving.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SolveProgress {
    /// Positions are being visited.
    Exploring(Progress),
    /// Values are being computed.
    Valuing,
    /// What this role can force is being proven; the number of positions visited so far.
    Proving(RoleId, u64),
    /// Plans up to this length are being searched for; the number of positions visited so far.
    Deepening(usize, u64),
    /// Histories of a game with hidden information are being visited; the number so far.
    Histories(u64),
    /// CFR+ is running; the number of iterations and the current gap.
    Regrets(u64, f64),
}

/// The solution of a game.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Solution {
    /// The version of this format.
    pub version: u32,
    /// Whether all values are exact.
    pub solved: bool,
    /// The method: "exhaustive", "shortest plan", "plan", "proof", "beliefs" or "regret".
    pub method: &'static str,
    /// The number of reachable positions, if all were visited.
    pub positions: Option<u64>,
    /// Whether positions that differ only in a step counter were counted as one.
    pub without_counter: bool,
    /// The number of positions visited; histories or beliefs in a game with hidden information.
    pub visited: u64,
    /// The number of terminal positions, if all positions were visited.
    pub terminal: Option<u64>,
    /// The number of dead ends, if all positions were visited.
    pub dead_ends: Option<u64>,
    /// Whether roles ever choose simultaneously, if all positions were visited.
    pub simultaneous: Option<bool>,
    /// Whether the game has chance moves, if all positions were visited.
    pub chance: Option<bool>,
    /// The sum of all goals, if it was the same at every end that was visited.
    pub constant_sum: Option<Goal>,
    /// The value of each role.
    pub roles: Vec<RoleValue>,
    /// The moves in the first position.
    pub moves: Vec<FirstMove>,
    /// The moves of a plan for a puzzle: a shortest one, unless the method is "plan".
    pub plan: Option<Vec<String>>,
    /// One line of best play: the role and move of every choice.
    pub line: Vec<(String, String)>,
    /// The values of the mixed strategies by role, in a game with hidden information.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mixed: Vec<Mixed>,
    /// The sum of what best responses to the mixed strategies gain, in points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// The number of CFR+ iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// Best play by information set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
    /// The number of independent parts of a puzzle, if they were searched separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
    /// Why something is not known.
    pub note: Option<String>,
}

/// Bounds on what a role can guarantee, whatever the others do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoleValue {
    /// The role.
    pub role: String,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// A move in the first position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstMove {
    /// The role that moves.
    pub role: String,
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The value that the move guarantees, if known.
    pub value: Option<f64>,
    /// The probability of the move in best play, if moves are mixed.
    pub share: Option<f64>,
    /// Whether the move belongs to best play.
    pub best: bool,
}

/// Solves a game from the given state.
pub fn solve(
    game: &AnyGame,
    from: &AnyState,
    limits: &SolveLimits,
    watch: &mut dyn FnMut(SolveProgress),
) -> Result<Solution, Fault> {
    reasoner::fastest!(game, game, from => solve_from(&**game, &mut game.scratch(), from, limits, watch))
}

/// Solves a game of a statically known type.
pub(crate) fn solve_from<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    limits: &SolveLimits,
    mut watch: &mut dyn FnMut(SolveProgress),
) -> Result<Solution, Fault> {
    if game.has_percepts() {
        return Err(Fault::Unsupported(
            "the game has hidden information, so positions alone do not determine its value".to_string(),
        ));
    }
    let mut solution = Solution { version: 1, method: "exhaustive", ..Solution::default() };
    let seats: Vec<RoleId> =
        RoleId::all(game.roles().len()).filter(|role| !game.roles()[role.index()].is_chance()).collect();
    let puzzle = if let [only] = seats[..] { Some(only).filter(|_| game.roles().len() == 1) } else { None };
    let (positions, deadline) = (limits.positions, limits.deadline.clone());
    let whole = Limits { positions, enough: None, fold: None, deadline };
    // A plan found by bidirectional search is used if exhaustive search exceeds its limits.
    let mut met = None;
    if let Some(role) = puzzle {
        if solution.by_parts(game, scratch, from, &whole, &mut watch)? {
            return Ok(solution);
        }
        met = Solution::both_ends(game, scratch, from, &whole, &mut watch)?;
        if solution.folded(game, scratch, from, &whole, role, &mut watch)? {
            return Ok(solution);
        }
    }
    let bounds = Limits { enough: puzzle.map(|role| (role, 100)), ..whole };
    let explored =
        explore(game, scratch, from, &bounds, |progress| watch(SolveProgress::Exploring(progress)))?;
    match explored {
        Explored::Whole(graph) => {
            watch(SolveProgress::Valuing);
            solution.whole(game, scratch, from, &graph, &seats)?;
        }
        Explored::Found(graph) => {
            solution.method = "shortest plan";
            solution.visited = graph.positions() as u64;
            solution.puzzle(game, scratch, from, &graph, 100)?;
        }
        Explored::OutOfTime(Progress { positions, .. }) => {
            solution.visited = positions as u64;
            if met.is_some() && solution.planned(game, scratch, from, limits, met, &mut watch)? {
                return Ok(solution);
            }
            solution.note = Some(format!("time ran out after {positions} positions"));
            solution.unknown(game, &seats);
        }
        Explored::TooMany(Progress { positions, .. }) => {
            solution.visited = positions as u64;
            let many = format!("there are more than {} positions", limits.positions.min(positions.max(1)));
            if puzzle.is_some() && solution.planned(game, scratch, from, limits, met, &mut watch)? {
                return Ok(solution);
            }
            if puzzle.is_some() || limits.proof == 0 {
                solution.note = Some(many);
                solution.unknown(game, &seats);
            } else {
                solution.prove(game, scratch, from, limits, &seats, &mut watch)?;
                let why = solution.note.take().map_or(String::new(), |why| format!(", and {why}"));
                solution.note = Some(many + &why);
            }
        }
    }
    Ok(solution)
}

impl Solution {
    fn unknown<G: Game>(&mut self, game: &G, seats: &[RoleId]) {
        let value =
            |role: &RoleId| RoleValue { role: game.roles()[role.index()].to_string(), low: 0.0, high: 100.0 };
        self.roles = seats.iter().map(value).collect();
    }

    /// Fills in the solution from the graph of all positions.
    fn whole<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        graph: &Graph<G::State>,
        seats: &[RoleId],
    ) -> Result<(), Fault> {
        self.solved = true;
        self.visited = graph.positions() as u64;
        self.positions = Some(self.visited);
        self.terminal = Some(graph.terminal() as u64);
        self.dead_ends = Some(graph.dead_ends() as u64);
        self.simultaneous = Some(graph.is_simultaneous());
        self.chance = Some(graph.has_chance());
        self.constant_sum = graph.constant_sum();
        let guarantees: Vec<Guarantees> = seats.iter().map(|role| Guarantees::of(graph, *role)).collect();
        let mut deciders = 0;
        for (role, sure) in seats.iter().zip(&guarantees) {
            let name = &game.roles()[role.index()];
            let value = sure.value(0);
            self.roles.push(RoleValue { role: name.to_string(), low: value, high: value });
            let moves = sure.moves(graph, game, scratch, from)?;
            if moves.len() < 2 {
                continue;
            }
            deciders += 1;
            let mixed = moves.iter().all(|mv| !mv.best);
            for mv in moves {
                self.moves.push(FirstMove {
                    role: name.to_string(),
                    text: game.move_text(*role, mv.mv),
                    value: Some(mv.value),
                    share: mixed.then_some(mv.share),
                    best: mv.best || (mixed && mv.share > 0.0),
                });
            }
        }
        if game.roles().len() == 1 {
            return self.puzzle(game, scratch, from, graph, self.roles[0].low as Goal);
        }
        if deciders <= 1 && !graph.is_simultaneous() && !graph.has_chance() {
            self.line = line(game, scratch, from, graph, seats, &guarantees)?;
        }
        Ok(())
    }

    /// Fills in the solution by proving what each role can force.
    fn prove<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        limits: &SolveLimits,
        seats: &[RoleId],
        watch: &mut impl FnMut(SolveProgress),
    ) -> Result<(), Fault> {
        self.method = "proof";
        self.visited = 0;
        self.unknown(game, seats);
        self.solved = true;
        for (number, &role) in seats.iter().enumerate() {
            let found = verdict(game, scratch, from, role, limits.proof, &limits.deadline, |visited| {
                watch(SolveProgress::Proving(role, visited));
            })?;
            self.visited += found.visited;
            self.roles[number] = RoleValue {
                role: game.roles()[role.index()].to_string(),
                low: f64::from(found.low),
                high: f64::from(found.high),
            };
            let mut counts = Vec::new();
            for other in RoleId::all(game.roles().len()) {
                let mut moves = Vec::new();
                game.legal(scratch, from, other, &mut moves)?;
                counts.push(moves.len());
            }
            if let Some(chooser) = counts.iter().position(|&count| count > 1) {
                let chooser = RoleId(chooser as u32);
                let mut kept: Vec<MoveId> =
                    found.keeping.iter().map(|joint| joint[chooser.index()]).collect();
                kept.dedup();
                for mv in kept {
                    let text = game.move_text(chooser, mv);
                    if self.moves.iter().any(|known| known.text == text) {
                        continue;
                    }
                    let role = game.roles()[chooser.index()].to_string();
                    self.moves.push(FirstMove { role, text, value: None, share: None, best: true });
                }
            }
            if let Some(why) = found.open {
                self.solved = false;
                self.note = Some(why.to_string());
                return Ok(());
            }
            if let ([_, other], Some(sum)) = (seats, found.sum)
                && game.roles().len() == 2
            {
                // All visited ends have the same sum, so the proofs for one role also settle the other.
                let value = f64::from(sum - found.low);
                self.constant_sum = Some(sum);
                self.roles[1] =
                    RoleValue { role: game.roles()[other.index()].to_string(), low: value, high: value };
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Returns best play from a state for as long as one role at a time has a choice.
fn line<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    graph: &Graph<G::State>,
    seats: &[RoleId],
    guarantees: &[Guarantees],
) -> Result<Vec<(String, String)>, Fault> {
    let mut state = from.clone();
    let mut line = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    while line.len() < LINE && seen.insert(state.clone()) && !game.is_terminal(scratch, &state)? {
        let mut joint = Vec::new();
        for role in RoleId::all(game.roles().len()) {
            let mut legal = Vec::new();
            game.legal(scratch, &state, role, &mut legal)?;
            let Some(&first) = legal.first() else { return Ok(line) };
            let sure = seats.iter().position(|seat| *seat == role).map(|number| &guarantees[number]);
            let chosen = match sure.filter(|_| legal.len() > 1) {
                None => first,
                Some(sure) => {
                    let moves = sure.moves(graph, game, scratch, &state)?;
                    let best = moves.iter().find(|mv| mv.best).map_or(first, |mv| mv.mv);
                    line.push((game.roles()[role.index()].to_string(), game.move_text(role, best)));
                    best
                }
            };
            joint.push(chosen);
        }
        state = game.next(scratch, &state, &joint)?;
    }
    Ok(line)
}
