//! What a game is worth with best play.
//!
//! Every reachable position is visited where there are few enough; puzzles end
//! as soon as a way to 100 is found (`solve_puzzle`). Larger games with turns are settled by
//! proofs of what each side can force. Games that hide something are solved by
//! [`crate::solve_hidden`].

use game::{AnyGame, AnyState, Deadline, Fault, Game, Goal, MoveId, RoleId};
use players::exact::{Explored, Graph, Guarantees, Limits, Progress, explore, verdict};
use serde::Serialize;

use crate::solve_hidden::{Advice, Mixed};

/// Steps of best play that are told.
const LINE: usize = 200;

/// What solving may cost.
#[derive(Debug, Clone)]
pub struct SolveLimits {
    /// Positions visited, at most.
    pub positions: usize,
    /// Positions that a proof or a search for long plans keeps in mind, at most;
    /// neither is tried with none.
    pub proof: usize,
    /// When to stop.
    pub deadline: Deadline,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SolveProgress {
    /// Positions are being visited.
    Exploring(Progress),
    /// Values are being worked out.
    Valuing,
    /// What this role can force is being proven; so many positions were looked into.
    Proving(RoleId, u64),
    /// Plans no longer than this are looked for; so many positions were looked at.
    Deepening(usize, u64),
    /// Histories of a game that hides something are being followed.
    Histories(u64),
    /// Strategies are being mixed; so many rounds were made, and so large is the gap.
    Regrets(u64, f64),
}

/// The answer.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Solution {
    /// Of this form.
    pub version: u32,
    /// Whether all values are exact.
    pub solved: bool,
    /// "exhaustive", "shortest plan", "plan", "proof", "beliefs" or "regret".
    pub method: &'static str,
    /// Reachable positions, if all were visited.
    pub positions: Option<u64>,
    /// Whether positions that differ in a step counter only were counted as one.
    pub without_counter: bool,
    /// Positions visited or looked into; histories or beliefs where the rules hide something.
    pub visited: u64,
    /// Positions in which the match is over, if all were visited.
    pub terminal: Option<u64>,
    /// Positions in which some role has no move, if all were visited.
    pub dead_ends: Option<u64>,
    /// Whether roles choose at the same time, if all positions were visited.
    pub simultaneous: Option<bool>,
    /// Whether chance decides, if all positions were visited.
    pub chance: Option<bool>,
    /// The sum of all goals, if it was the same wherever a match ended.
    pub constant_sum: Option<Goal>,
    /// What each role is sure of.
    pub roles: Vec<RoleValue>,
    /// The moves of the first position.
    pub moves: Vec<FirstMove>,
    /// For puzzles the moves of a plan, a shortest one unless the method is "plan".
    pub plan: Option<Vec<String>>,
    /// One line of best play: role and move by step.
    pub line: Vec<(String, String)>,
    /// What mixed strategies are worth, role by role, where the rules hide something.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mixed: Vec<Mixed>,
    /// What all best responses to them gain together, in points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// Rounds in which they were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// What to do, by what is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
    /// Parts of a puzzle that were searched by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
    /// Why something is not known.
    pub note: Option<String>,
}

/// What a role can be sure of, whatever the others do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoleValue {
    /// Who.
    pub role: String,
    /// At least this.
    pub low: f64,
    /// At most this.
    pub high: f64,
}

/// A move in the first position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstMove {
    /// Whose.
    pub role: String,
    /// Which.
    #[serde(rename = "move")]
    pub text: String,
    /// What it guarantees, where that is known.
    pub value: Option<f64>,
    /// With which probability best play makes it, where moves are mixed.
    pub share: Option<f64>,
    /// Whether it is as good as any.
    pub best: bool,
}

/// Solves a game from a state on.
pub fn solve(
    game: &AnyGame,
    from: &AnyState,
    limits: &SolveLimits,
    watch: &mut dyn FnMut(SolveProgress),
) -> Result<Solution, Fault> {
    reasoner::fastest!(game, game, from => solve_from(&**game, &mut game.scratch(), from, limits, watch))
}

/// The same over a game of a known type.
pub(crate) fn solve_from<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    from: &G::State,
    limits: &SolveLimits,
    mut watch: &mut dyn FnMut(SolveProgress),
) -> Result<Solution, Fault> {
    if game.has_percepts() {
        return Err(Fault::Unsupported(
            "the rules hide something, so positions alone do not settle it".to_string(),
        ));
    }
    let mut solution = Solution { version: 1, method: "exhaustive", ..Solution::default() };
    let seats: Vec<RoleId> =
        RoleId::all(game.roles().len()).filter(|role| !game.roles()[role.index()].is_chance()).collect();
    let puzzle = if let [only] = seats[..] { Some(only).filter(|_| game.roles().len() == 1) } else { None };
    let (positions, deadline) = (limits.positions, limits.deadline.clone());
    let whole = Limits { positions, enough: None, fold: None, deadline };
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
            solution.note = Some(format!("the time was over after {positions} positions"));
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

    /// From all positions.
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

    /// By proofs of what each role can force.
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
                // Every end that was met shared out the same sum, so the proofs hold for the other side too.
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

/// Best play from a state, as far as one role at a time chooses.
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
