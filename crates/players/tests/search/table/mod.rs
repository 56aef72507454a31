//! Games and matches for the tests of players.

use std::sync::Arc;
use std::time::Duration;

use game::{AnyGame, Deadline, Game, Goal, MatchContext, MoveId, Observation, Player, RoleId, Seed};
use library::{Library, Loaded};
use reasoner::{CircuitGame, GroundLimits};

/// A game of the library.
pub fn circuit(name: &str) -> Arc<CircuitGame> {
    let loaded = Loaded::new(Library::embedded().find(name).unwrap(), Default::default());
    Arc::new(CircuitGame::new(loaded.rules().unwrap(), GroundLimits::default()).unwrap())
}

/// A game from the text of its rules.
pub fn sheet(text: &str) -> Arc<CircuitGame> {
    let loaded = Loaded::new(
        library::from_bytes("sheet".into(), "sheet.kif".into(), Some("kif"), text.as_bytes().to_vec()),
        Default::default(),
    );
    Arc::new(CircuitGame::new(loaded.rules().unwrap(), GroundLimits::default()).unwrap())
}

/// The game from other facts on.
pub fn from(game: &Arc<CircuitGame>, facts: &[String]) -> Arc<AnyGame> {
    Arc::new(AnyGame::new(Arc::clone(game)).beginning_with(facts).unwrap())
}

/// A player at the beginning of a match.
pub fn seated<G: Game + 'static>(game: &Arc<G>, spec: &str, role: usize, seed: Seed) -> Box<dyn Player<G>> {
    let mut player = players::registry::<G>().make(spec, &()).unwrap();
    let clock = Duration::from_millis(100);
    let context = MatchContext {
        match_id: "test".to_string(),
        role: RoleId(role as u32),
        rules: None,
        start_clock: clock,
        play_clock: clock,
        seed,
    };
    player.start(game, &context, &Deadline::never()).unwrap();
    player
}

/// The first move of a player, and why.
pub fn observed<G: Game + 'static>(
    game: &Arc<G>,
    spec: &str,
    role: usize,
    seed: Seed,
) -> (String, Vec<(String, String)>) {
    let mut player = seated(game, spec, role, seed);
    let own = RoleId(role as u32);
    let mv = player.select(&Deadline::never()).unwrap();
    let text = |role, mv| game.move_text(role, mv);
    (text(own, mv), player.thought().map(|mv| text(own, mv), text).describe())
}

/// What an explanation says about the value.
pub fn value_of(why: &[(String, String)]) -> &str {
    &why.iter().find(|(name, _)| name == "value").unwrap().1
}

/// A match without clocks: goals (0 where there are none) and joint moves.
pub fn play<G: Game + 'static>(game: &Arc<G>, specs: &[&str], seed: Seed) -> (Vec<Goal>, Vec<Vec<MoveId>>) {
    let roles: Vec<RoleId> = RoleId::all(game.roles().len()).collect();
    let seat =
        |role: &RoleId| seated(game, specs[role.index()], role.index(), seed.derive(u64::from(role.0)));
    let mut players: Vec<Box<dyn Player<G>>> = roles.iter().map(seat).collect();
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    let mut joints = Vec::new();
    while !game.is_terminal(&mut scratch, &state).unwrap() {
        let mut joint = Vec::new();
        for (role, player) in roles.iter().zip(&mut players) {
            let mut legal = Vec::new();
            game.legal(&mut scratch, &state, *role, &mut legal).unwrap();
            if legal.is_empty() {
                return (vec![0; roles.len()], joints);
            }
            let mv = player.select(&Deadline::never()).unwrap();
            assert!(legal.contains(&mv), "{} is not legal", game.move_text(*role, mv));
            joint.push(mv);
        }
        for (role, player) in roles.iter().zip(&mut players) {
            let own = joint[role.index()];
            player.update(&Observation { own, percepts: Vec::new(), joint: Some(joint.clone()) }).unwrap();
        }
        state = game.next(&mut scratch, &state, &joint).unwrap();
        joints.push(joint);
    }
    let goal = |role: &RoleId| game.goal(&mut scratch, &state, *role).unwrap().unwrap_or(0);
    (roles.iter().map(goal).collect(), joints)
}

/// A position of connect four, from discs (colour, column, row) and whose turn it is.
pub fn connect_four(discs: &[(&str, u32, u32)], turn: &str) -> Vec<String> {
    let mut facts: Vec<String> =
        discs.iter().map(|(colour, x, y)| format!("(cell {x} {y} {colour})")).collect();
    facts.push(format!("(control {turn})"));
    facts.sort();
    facts
}
