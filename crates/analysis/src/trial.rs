//! Checking a game by playing it.
//!
//! Some properties of a good rule sheet cannot be read off its rules: every role always has a legal move,
//! every match ends, every role gets exactly one goal value. Random games find most violations.

use game::{End, Fault, Game, Goal, PlayoutStream, Playouts, RoleId, Seed, Start, playout};

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
    /// The failures found: one example of each kind, and for goals one of each set of roles.
    pub findings: Vec<Example>,
}

/// A kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// A dead end: a state that is not terminal in which a role has no legal move.
    DeadEnd,
    /// A terminal state in which a role has no goal value.
    NoGoal,
    /// A terminal state in which a role has several goal values.
    SeveralGoals,
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
    /// The goal values of these roles in the last state, if the failure is about goals.
    pub goals: Vec<Vec<Goal>>,
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
            let findings = match outcomes.ends[place] {
                End::DeadEnd => &[Finding::DeadEnd][..],
                // The last state knows which of the two it is; it can be both, for different roles.
                End::NoGoal => &[Finding::NoGoal, Finding::SeveralGoals],
                End::CutOff => &[Finding::Endless],
                End::Goals => {
                    trial.shortest = Some(trial.shortest.map_or(length, |shortest| shortest.min(length)));
                    trial.longest = Some(trial.longest.map_or(length, |longest| longest.max(length)));
                    trial.proper += 1;
                    goals.iter().zip(&mut trial.goal_sums).for_each(|(goal, sum)| *sum += i64::from(*goal));
                    if goals.iter().all(|goal| (0..=100).contains(goal)) {
                        continue;
                    }
                    &[Finding::StrangeGoal]
                }
            };
            // One example is enough where the roles do not matter, so that no more games are played again.
            if let [finding] = findings
                && let Some(known) = trial.findings.iter_mut().find(|example| example.finding == *finding)
            {
                known.count += 1;
                continue;
            }
            let last = last_state(game, &mut scratch, start, (index, length), seed)?;
            for &finding in findings {
                let found = example(game, &mut scratch, &last, (finding, index, length))?;
                if finding != Finding::Endless && found.roles.is_empty() {
                    continue;
                }
                let alike = |known: &&mut Example| known.finding == finding && known.roles == found.roles;
                match trial.findings.iter_mut().find(alike) {
                    Some(known) => known.count += 1,
                    None => trial.findings.push(found),
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

/// Replays a playout up to its last state.
fn last_state<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    start: &G::State,
    (index, length): (u64, u32),
    seed: Seed,
) -> Result<G::State, Fault> {
    let stream = PlayoutStream::new(seed, index);
    let (_, _, last) = playout(game, scratch, start, None, stream, length, |_, _| ())?;
    Ok(last)
}

/// Describes a failure by the last state of its playout.
fn example<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    last: &G::State,
    (finding, playout, length): (Finding, u64, u32),
) -> Result<Example, Fault> {
    let (mut roles, mut goals, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for (role, name) in RoleId::all(game.roles().len()).zip(game.roles()) {
        game.legal(scratch, last, role, &mut moves)?;
        let values = game.goal_values(scratch, last, role)?;
        let concerned = match finding {
            Finding::DeadEnd => moves.is_empty(),
            Finding::NoGoal => values.is_empty(),
            Finding::SeveralGoals => values.len() > 1,
            Finding::StrangeGoal => values.iter().any(|goal| !(0..=100).contains(goal)),
            Finding::Endless => false,
        };
        if concerned {
            roles.push(name.to_string());
            goals.push(values);
        }
    }
    if matches!(finding, Finding::DeadEnd) {
        goals.clear();
    }
    Ok(Example { finding, count: 1, playout, length, roles, goals, state: game.facts(last) })
}
