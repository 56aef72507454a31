//! A person at the terminal, as a player.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use tafl::cast::Follow;
use tafl::game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, RoleId};
use tafl::picture::board::Layout;

use crate::draw;
use crate::screen::{FAINT, STRONG, wrapped};

/// Shows what the role sees, and reads its moves from the terminal.
pub(crate) struct Human<G: Game> {
    layout: Layout,
    seen: Option<Seen<G>>,
}

/// What the role has seen of a match.
struct Seen<G: Game> {
    game: Arc<G>,
    scratch: G::Scratch,
    role: RoleId,
    /// The moves it may make.
    follow: Follow<G>,
    /// The state, where nothing is hidden.
    state: G::State,
}

impl<G: Game> Human<G> {
    pub(crate) fn new(layout: Layout) -> Human<G> {
        Human { layout, seen: None }
    }
}

impl<G: Game> Player<G> for Human<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        let follow = Follow::new(game, context);
        let (scratch, state) = (game.scratch(), game.initial());
        self.seen = Some(Seen { game: Arc::clone(game), scratch, role: context.role, follow, state });
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        let Seen { game, scratch, role, follow, state } =
            self.seen.as_mut().expect("a match starts before its first step");
        follow.update(observation)?;
        match &observation.joint {
            Some(joint) => *state = game.next(scratch, state, joint)?,
            None => {
                let seen: Vec<String> =
                    observation.percepts.iter().map(|&percept| game.percept_text(*role, percept)).collect();
                let text = if seen.is_empty() { "nothing".to_string() } else { seen.join(" ") };
                say(&format!("      you see {text}\n"));
            }
        }
        Ok(())
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let Seen { game, role, follow, state, .. } =
            self.seen.as_mut().expect("a match starts before its first move");
        let moves = follow.legal(deadline)?;
        if let [only] = moves[..] {
            return Ok(only);
        }
        let mut text = String::from("\n");
        if !game.has_percepts() {
            text.push_str(&draw::state::state(&self.layout, &game.facts(state)));
            text.push('\n');
        }
        // A move has the same number in every list.
        let choices = |shown: &[MoveId]| {
            let numbered = moves.iter().enumerate().filter(|(_, m)| shown.contains(m));
            wrapped(numbered.map(|(at, &m)| format!("{}:{}", at + 1, game.move_text(*role, m))), 2)
        };
        text.push_str(&choices(&moves));
        let name = &game.roles()[role.index()];
        let stdin = io::stdin();
        loop {
            say(&format!(
                "{text}{STRONG}{name}{STRONG:#}, your move {FAINT}(a number, or part of a move){FAINT:#}: "
            ));
            let mut line = String::new();
            if !matches!(stdin.lock().read_line(&mut line), Ok(count) if count > 0) {
                return Err(Fault::Unsupported("standard input is closed".to_string()));
            }
            let line = line.trim();
            if line.is_empty() || line == "?" {
                text = format!(
                    "{}  Type a number, a move, or a part that only one move contains.\n",
                    choices(&moves)
                );
                continue;
            }
            let number = line.parse::<usize>().ok().and_then(|number| moves.get(number.wrapping_sub(1)));
            let typed =
                tafl::gdl::parse_term(line).ok().and_then(|term| game.find_move(*role, &term.to_string()));
            if let Some(chosen) = number.copied().or(typed.filter(|m| moves.contains(m))) {
                return Ok(chosen);
            }
            let fitting: Vec<MoveId> =
                moves.iter().copied().filter(|&m| fits(line, &game.move_text(*role, m))).collect();
            text = match fitting[..] {
                [only] => return Ok(only),
                [] => format!("  `{line}` is not one of your moves.\n"),
                _ => format!("  `{line}` matches {} moves:\n{}", fitting.len(), choices(&fitting)),
            };
        }
    }
}

/// Returns `true` if the words of a line are prefixes of words of a move, in the same order.
fn fits(line: &str, mv: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split([' ', '(', ')']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let mut rest = words(mv).into_iter();
    words(line).iter().all(|word| rest.any(|found| found.starts_with(word.as_str())))
}

fn say(text: &str) {
    let mut out = anstream::stdout();
    // If the terminal is gone, reading the move will fail.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
