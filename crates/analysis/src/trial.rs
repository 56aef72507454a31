//! Checking a game by playing it.
//!
//! Some properties of a good rule sheet cannot be read off its rules: every role always has a legal move,
//! every match ends, every role gets exactly one goal value. Random games find most violations.

use game::{End, Fault, Game, Goal, Outcomes, PlayoutStream, Playouts, Role, RoleId, Seed, Start, playout};

/// The number of endless playouts after which the trial stops.
const ENDLESS: u64 = 3;
/// The maximum number of playouts in one batch. Batches begin small, so that endless games stop the trial
/// early.
const BATCH: u64 = 64;

/// The result of random games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trial {
    /// The number of playouts.
    pub playouts: u64,
    /// The number of steps in them.
    pub steps: u64,
    /// The length of the shortest playout that ended with goals.
    pub shortest: Option<u32>,
    /// The length of the longest playout that ended with goals.
    pub longest: Option<u32>,
    /// The sum of goals by role, over playouts that ended with goals.
    pub goal_sums: Vec<i64>,
    /// The number of playouts that ended with goals.
    pub proper: u64,
    /// The failures found: one example of each kind, and for missing goals one of each set of roles.
    pub findings: Vec<Example>,
}

/// A kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// A dead end: a state that is not terminal in which a role has no legal move.
    DeadEnd,
    /// A terminal state in which a role has no goal value, or several.
    NoSingleGoal,
    /// A goal value outside 0 to 100.
    StrangeGoal,
    /// A playout that did not end within the step limit.
    Endless,
}

/// A failure, with one playout that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The kind of failure.
    pub finding: Finding,
    /// The number of playouts with this failure.
    pub count: u64,
    /// The number of the first such playout.
    pub playout: u64,
    /// The number of steps in it.
    pub length: u32,
    /// The roles concerned.
    pub roles: Vec<String>,
    /// The facts of the last state, sorted.
    pub state: Vec<String>,
}

/// Plays `count` random games of at most `max_steps` steps, fewer if several of them are endless. `watch`
/// is called with the number of playouts so far.
pub fn trial<G: Game>(
    game: &G,
    start: &G::State,
    count: u64,
    max_steps: u32,
    seed: Seed,
    mut watch: impl FnMut(u64),
) -> Result<Trial, Fault> {
    let mut trial = Trial { goal_sums: vec![0; game.roles().len()], ..Trial::default() };
    let (mut scratch, mut batch) = (game.scratch(), 1);
    while trial.playouts < count {
        let size = batch.min(count - trial.playouts);
        batch = (batch * 2).min(BATCH);
        let starts = [Start { state: start.clone(), first: None, count: size as u32 }];
        let request = Playouts { first_index: trial.playouts, max_steps, ..Playouts::new(&starts, seed) };
        let outcomes = game.playouts(&mut scratch, &request)?;
        for place in 0..outcomes.len() {
            let index = trial.playouts + place as u64;
            let length = outcomes.lengths[place];
            trial.steps += u64::from(length);
            let goals = outcomes.goals_of(place);
            let finding = match outcomes.ends[place] {
                End::DeadEnd => Finding::DeadEnd,
                End::NoGoal => Finding::NoSingleGoal,
                End::CutOff => Finding::Endless,
                End::Goals => {
                    trial.shortest = Some(trial.shortest.map_or(length, |shortest| shortest.min(length)));
                    trial.longest = Some(trial.longest.map_or(length, |longest| longest.max(length)));
                    trial.proper += 1;
                    goals.iter().zip(&mut trial.goal_sums).for_each(|(goal, sum)| *sum += i64::from(*goal));
                    if goals.iter().all(|goal| (0..=100).contains(goal)) {
                        continue;
                    }
                    Finding::StrangeGoal
                }
            };
            // Each set of roles without a single goal value is a failure of its own.
            let alike = |example: &Example| {
                let lacks = |(role, goal): (&Role, &Goal)| {
                    (*goal == Outcomes::NO_GOAL) == example.roles.iter().any(|name| role == name)
                };
                let roles = finding != Finding::NoSingleGoal || game.roles().iter().zip(goals).all(lacks);
                example.finding == finding && roles
            };
            match trial.findings.iter_mut().find(|example| alike(example)) {
                Some(example) => example.count += 1,
                None => {
                    let shown = (finding, index, length);
                    trial.findings.push(example(game, &mut scratch, start, shown, goals, seed)?);
                }
            }
        }
        trial.playouts += outcomes.len() as u64;
        watch(trial.playouts);
        let endless = |example: &Example| example.finding == Finding::Endless && example.count >= ENDLESS;
        if trial.findings.iter().any(endless) {
            break;
        }
    }
    trial.findings.sort_by_key(|example| example.finding);
    Ok(trial)
}

/// Replays a failed playout to describe its last state.
fn example<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    start: &G::State,
    (finding, index, length): (Finding, u64, u32),
    goals: &[Goal],
    seed: Seed,
) -> Result<Example, Fault> {
    let stream = PlayoutStream::new(seed, index);
    let (_, _, last) = playout(game, scratch, start, None, stream, length, |_, _| ())?;
    let mut roles = Vec::new();
    let mut moves = Vec::new();
    for (role, name) in RoleId::all(game.roles().len()).zip(game.roles()) {
        game.legal(scratch, &last, role, &mut moves)?;
        let goal = goals.get(role.index()).copied().unwrap_or(Outcomes::NO_GOAL);
        let concerned = match finding {
            Finding::DeadEnd => moves.is_empty(),
            Finding::NoSingleGoal => goal == Outcomes::NO_GOAL,
            Finding::StrangeGoal => !(0..=100).contains(&goal),
            Finding::Endless => false,
        };
        if concerned {
            roles.push(name.to_string());
        }
    }
    Ok(Example { finding, count: 1, playout: index, length, roles, state: game.facts(&last) })
}
