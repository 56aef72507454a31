//! A person at the terminal, as a player.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, RoleId};
use lab::Follow;
use lab::board::Layout;

use crate::draw;
use crate::screen::{FAINT, STRONG, wrapped};

/// Shows what the role sees and reads its moves from the terminal.
pub(crate) struct Human<G: Game> {
    layout: Layout,
    seen: Option<Seen<G>>,
}

/// The game, the role, the moves it may make and, where nothing is hidden, the state.
type Seen<G> = (Arc<G>, RoleId, Follow<G>, <G as Game>::State);

impl<G: Game> Human<G> {
    pub(crate) fn new(layout: Layout) -> Human<G> {
        Human { layout, seen: None }
    }
}

impl<G: Game> Player<G> for Human<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        let follow = Follow::new(game, context);
        self.seen = Some((Arc::clone(game), context.role, follow, game.initial()));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        let (game, role, follow, state) = self.seen.as_mut().expect("a match starts before its first step");
        follow.update(observation)?;
        match &observation.joint {
            Some(joint) => *state = game.next(state, joint)?,
            None => {
                let seen: Vec<String> =
                    observation.percepts.iter().map(|&percept| game.percept_text(*role, percept)).collect();
                let text = if seen.is_empty() { "nothing".to_string() } else { seen.join(" ") };
                say(&format!("      you see {text}\n"));
            }
        }
        Ok(())
    }

    fn select(&mut self, _: &Deadline) -> Result<MoveId, Fault> {
        let (game, role, follow, state) = self.seen.as_ref().expect("a match starts before its first move");
        let moves = follow.legal()?;
        if let [only] = moves[..] {
            return Ok(only);
        }
        let mut text = String::from("\n");
        if !game.has_percepts() {
            text.push_str(&draw::state::state(&self.layout, &game.facts(state)));
            text.push('\n');
        }
        let list =
            moves.iter().enumerate().map(|(at, &m)| format!("{}:{}", at + 1, game.move_text(*role, m)));
        text.push_str(&wrapped(list, 2));
        let name = &game.roles()[role.index()];
        let stdin = io::stdin();
        loop {
            say(&format!(
                "{text}{STRONG}{name}{STRONG:#}, your move {FAINT}(a number or the move){FAINT:#}: "
            ));
            let mut line = String::new();
            if !matches!(stdin.lock().read_line(&mut line), Ok(count) if count > 0) {
                return Err(Fault::Unsupported("nobody is at the terminal".to_string()));
            }
            let line = line.trim();
            let number = line.parse::<usize>().ok().and_then(|number| moves.get(number.wrapping_sub(1)));
            let typed = gdl::parse_term(line).ok().and_then(|term| game.find_move(*role, &term.to_string()));
            match number.copied().or(typed.filter(|m| moves.contains(m))) {
                Some(chosen) => return Ok(chosen),
                None => text = format!("  `{line}` is none of your moves.\n"),
            }
        }
    }
}

fn say(text: &str) {
    let mut out = anstream::stdout();
    // A terminal that is gone shows when a move is read.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
