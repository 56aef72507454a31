//! A player chooses the same where it saw the same, whatever is hidden from it.

use std::sync::Arc;

use belief::{Bag, Seen, catch_up, place};
use game::{Deadline, Game, MoveId, RoleId, Seat, Seated, Seed, Turn};
use library::{Library, Loaded};

use crate::fog::{circuit, context, games_of_knowledge, hidden_games, percepts, walk};

/// What a referee tells a role of a history, in text.
fn told<G: Game>(game: &G, path: &[MoveId], role: RoleId) -> Vec<Turn> {
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    let mut turns = Vec::new();
    for joint in path.chunks(game.roles().len()) {
        let seen = &percepts(game, &mut scratch, &state, joint)[role.index()];
        turns.push(Turn {
            own: game.move_text(role, joint[role.index()]),
            percepts: seen.iter().map(|&percept| game.percept_text(role, percept)).collect(),
            joint: None,
        });
        state = game.next(&mut scratch, &state, joint).unwrap();
    }
    turns
}

/// The players that were made for hidden information, and the simplest, with little to think.
const QUICK: &[&str] = &[
    "random",
    "legal",
    "hyperplay(4,1)",
    "pomcp(40,8)",
    "pomcp(40,8,exact=0)",
    "pomcp(40,8,exact=0,histories=0)",
    "ismcts(40,8)",
    "ismcts(40,8,histories=0)",
    "oos(40,8)",
    "oos(40,8,histories=0)",
];

/// The others but the cheat; players that do not play such a game say so.
const SLOW: &[&str] = &[
    "hyperplay2(1,1,1,1,depth=2)",
    "lookahead",
    "lookahead_no_block",
    "mcts(playouts=20)",
    "minimax(depth=1)",
    "heuristic(depth=1,positions=100)",
    "puzzle(states=20)",
    "conditional(positions=100)",
    "cfr(rounds=4,histories=2000)",
];

/// Where matches are no longer than this, simulated games go on to their ends.
const SHORT: usize = 12;
const TO_THE_END: &str = "hyperplay2(1,1,1,1)";

/// Models among which histories are looked for, rounds that are looked at, and matches.
const MODELS: usize = 12;
const ROUNDS: usize = 12;
const MATCHES: u64 = 12;

/// Histories that look the same to a role that has a choice then, and come to different states.
fn alike<G: Game>(game: &G, role: RoleId, seed: Seed, most: usize) -> Option<Vec<Vec<MoveId>>> {
    let steps = walk(game, seed);
    let mut scratch = game.scratch();
    let initial = place(game, &mut scratch, game.initial()).unwrap();
    let mut bag = Bag::new(role, &initial, MODELS, seed);
    for step in steps[..steps.len() - 1].iter().take(ROUNDS) {
        bag.see(Seen::hidden(step.joint[role.index()], &step.percepts[role.index()]));
        catch_up(game, &mut scratch, &mut [&mut bag], true, &Deadline::never()).unwrap();
        let mut different = Vec::new();
        for model in bag.current() {
            if !different.iter().any(|(state, _)| *state == model.place().state) {
                different.push((model.place().state.clone(), model.path()));
            }
        }
        let choices = bag.current().next().map_or(0, |model| model.place().legal[role.index()].len());
        if choices > 1 && different.len() > 1 {
            return Some(different.into_iter().take(most).map(|(_, path)| path).collect());
        }
    }
    None
}

/// What a player answers, or why it does not.
fn choice<G: cast::Compiled>(
    game: &Arc<G>,
    spec: &str,
    role: RoleId,
    turns: &[Turn],
) -> Result<String, String> {
    let player = G::player(spec).unwrap();
    let mut seat = Seated::new(Arc::clone(game), player);
    let never = Deadline::never();
    seat.start(&context(role.index(), Seed(7)), &never).map_err(|fault| fault.to_string())?;
    let mut answer = seat.play(None, &never);
    for turn in turns {
        answer = seat.play(Some(turn), &never);
    }
    answer.map_err(|fault| fault.to_string())
}

#[test]
fn every_player_is_looked_at() {
    let named = |name: &str| QUICK.iter().chain(SLOW).any(|spec| spec.split('(').next() == Some(name));
    for (usage, _) in cast::list() {
        let name = usage.split('(').next().unwrap();
        // The cheat is told everything, and `auto` lets one of the others play.
        assert!(named(name) || ["cheat", "auto"].contains(&name), "{name}");
    }
}

/// Looks at all players in one game; whether there was anything to look at.
struct Look<'a> {
    name: &'a str,
    /// More histories, and a line for every player.
    told: bool,
}

impl Look<'_> {
    #[allow(clippy::print_stdout, reason = "the lines that the soak reads")]
    fn run<G: cast::Compiled>(self, game: &Arc<G>) -> bool {
        let name = self.name;
        let players = RoleId::all(game.roles().len()).filter(|role| !game.roles()[role.index()].is_chance());
        let most = if self.told { 4 } else { 2 };
        let mut sets: Vec<(RoleId, Vec<Vec<Turn>>)> = Vec::new();
        for role in players {
            let found = (2..2 + MATCHES).find_map(|seed| alike(&**game, role, Seed(seed), most));
            let telling =
                |paths: Vec<Vec<MoveId>>| paths.iter().map(|path| told(&**game, path, role)).collect();
            sets.extend(found.map(|paths| (role, telling(paths))));
        }
        let short = (0..4).all(|seed| walk(&**game, Seed(seed)).len() <= SHORT);
        for spec in QUICK.iter().chain(SLOW).chain(Some(&TO_THE_END).filter(|_| short)) {
            let (mut states, mut equal, mut refused) = (0, 0, 0);
            for (role, histories) in &sets {
                let answers: Vec<Result<String, String>> =
                    histories.iter().map(|turns| choice(game, spec, *role, turns)).collect();
                states += answers.len();
                equal += answers.iter().filter(|answer| **answer == answers[0]).count();
                refused += answers.iter().filter(|answer| answer.is_err()).count();
            }
            if self.told && !sets.is_empty() {
                println!("peeking,{},{name},{states},{equal},{refused}", spec.replace(',', ";"));
            }
            assert_eq!(states, equal, "{spec} in {name}");
        }
        !sets.is_empty()
    }
}

#[test]
fn equal_percepts_and_moves_give_equal_choices() {
    // With more histories and a line for every player and game: `cargo xtask soak peeking`.
    let part = std::env::var("TAFL_PEEKING").ok();
    let wanted = |name: &String| part.as_ref().is_none_or(|part| name.contains(part));
    let told = part.is_some();
    let mut without = Vec::new();
    for name in hidden_games().into_iter().filter(wanted) {
        let look = Look { name: &name, told };
        if !look.run(&circuit(&name)) {
            without.push(name);
        }
    }
    // In these nobody has a choice while something is hidden.
    assert!(without.is_empty(), "{without:?}");
    // In both sheets of the library whose rules speak of knowledge, only who knows all may choose.
    for name in games_of_knowledge().into_iter().filter(wanted) {
        let loaded = Loaded::new(Library::embedded().find(&name).unwrap(), Default::default());
        Look { name: &name, told }.run(&Arc::new(loaded.play("auto").unwrap().game));
    }
}
