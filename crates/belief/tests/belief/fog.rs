//! Games with hidden information and matches in them.

use std::sync::Arc;
use std::time::Duration;

use game::{Deadline, Game, Goal, MatchContext, MoveId, Observation, PerceptId, Player, RoleId, Seed};
use library::{Library, Loaded};
use reasoner::{CircuitGame, GroundLimits};

/// A game of the library.
pub fn circuit(name: &str) -> Arc<CircuitGame> {
    let loaded = Loaded::new(Library::embedded().find(name).unwrap(), Default::default());
    Arc::new(CircuitGame::new(loaded.rules().unwrap(), GroundLimits::default()).unwrap())
}

/// A game from the text of a sheet.
pub fn sheet(text: &str) -> Arc<CircuitGame> {
    let source = library::from_bytes("sheet".into(), "sheet".into(), Some("kif"), text.as_bytes().to_vec());
    let loaded = Loaded::new(source, Default::default());
    Arc::new(CircuitGame::new(loaded.rules().unwrap(), GroundLimits::default()).unwrap())
}

/// The names of all games of the library that hide something and ground.
pub fn hidden_games() -> Vec<String> {
    games_that_hide(false)
}

/// Those in which rules speak of what is known, which do not ground.
pub fn games_of_knowledge() -> Vec<String> {
    games_that_hide(true)
}

fn games_that_hide(known: bool) -> Vec<String> {
    let library = Library::embedded();
    let hides = |name: &String| {
        let source = library.find(name).unwrap();
        let rules = source.text.contains("(sees ").then(|| Loaded::new(source, Default::default()).rules());
        rules.flatten().is_some_and(|rules| rules.has_percepts() && rules.reads_knowledge() == known)
    };
    library.names().unwrap().into_iter().filter(hides).collect()
}

/// What a player is told before a match.
pub fn context(role: usize, seed: Seed) -> MatchContext {
    let clock = Duration::from_secs(1);
    MatchContext {
        match_id: "test".to_string(),
        role: RoleId(role as u32),
        rules: None,
        start_clock: clock,
        play_clock: clock,
        seed,
    }
}

/// One step of a match.
pub struct Step<S> {
    /// The state before it.
    pub state: S,
    /// The joint move.
    pub joint: Vec<MoveId>,
    /// What each role saw.
    pub percepts: Vec<Vec<PerceptId>>,
}

/// What every role sees of a joint move.
pub fn percepts<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    joint: &[MoveId],
) -> Vec<Vec<PerceptId>> {
    let see = |role| {
        let mut seen = Vec::new();
        game.percepts(scratch, state, joint, role, &mut seen).unwrap();
        seen
    };
    RoleId::all(game.roles().len()).map(see).collect()
}

/// The legal moves of a role.
pub fn legal<G: Game>(game: &G, scratch: &mut G::Scratch, state: &G::State, role: usize) -> Vec<MoveId> {
    let mut moves = Vec::new();
    game.legal(scratch, state, RoleId(role as u32), &mut moves).unwrap();
    moves
}

/// A match played at random.
pub fn walk<G: Game>(game: &G, seed: Seed) -> Vec<Step<G::State>> {
    let mut chance = seed.rng();
    let mut steps = Vec::new();
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    while !game.is_terminal(&mut scratch, &state).unwrap() {
        let mut pick = |role: usize| {
            let moves = legal(game, &mut scratch, &state, role);
            moves[chance.below(moves.len())]
        };
        let joint: Vec<MoveId> = (0..game.roles().len()).map(&mut pick).collect();
        let next = game.next(&mut scratch, &state, &joint).unwrap();
        steps.push(Step { percepts: percepts(game, &mut scratch, &state, &joint), state, joint });
        state = next;
    }
    steps
}

/// A match before a referee that shows everybody what they may see; roles without a player move at random.
pub fn play<G: Game>(game: &Arc<G>, players: &mut [Option<&mut dyn Player<G>>], seed: Seed) -> Vec<Goal> {
    let mut chance = seed.derive_name("nature").rng();
    for (role, player) in players.iter_mut().enumerate() {
        if let Some(player) = player {
            let context = context(role, seed.derive(role as u64));
            player.start(game, &context, &Deadline::never()).unwrap();
        }
    }
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    while !game.is_terminal(&mut scratch, &state).unwrap() {
        let mut joint = Vec::new();
        for (role, player) in players.iter_mut().enumerate() {
            let moves = legal(&**game, &mut scratch, &state, role);
            let chosen = match player {
                Some(player) => player.select(&Deadline::never()).unwrap(),
                None => moves[chance.below(moves.len())],
            };
            assert!(moves.contains(&chosen), "an illegal move");
            joint.push(chosen);
        }
        let seen = percepts(&**game, &mut scratch, &state, &joint);
        state = game.next(&mut scratch, &state, &joint).unwrap();
        if !game.is_terminal(&mut scratch, &state).unwrap() {
            for (role, player) in players.iter_mut().enumerate() {
                if let Some(player) = player {
                    let (own, percepts) = (joint[role], seen[role].clone());
                    player.update(&Observation { own, percepts, joint: None }).unwrap();
                }
            }
        }
    }
    let goal = |role| game.goal(&mut scratch, &state, role).unwrap().unwrap();
    RoleId::all(players.len()).map(goal).collect()
}

/// Mean and standard error.
pub fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}
