//! The default player, which chooses a suitable player for the game.
//!
//! Before the match it plays a few random walks and chooses by what it saw: `puzzle` if there is one role,
//! `conditional` if all reachable positions are few enough to be visited, `minimax` if random games do not
//! end, and `mcts` otherwise. If the rules hide something, it chooses `pomcp` if chance is the only other
//! role, `cfr` if all histories can be visited, and `ismcts` otherwise.

use std::sync::Arc;
use std::time::Duration;

use belief::{Cfr, Ismcts, Pomcp};
use game::{
    Deadline, Fault, Game, Goal, MatchContext, Mix, MoveId, Observation, Player, Rng, Role, Thought,
    all_legal,
};

use crate::exact::{Explored, Limits, explore};
use crate::{Conditional, Mcts, Minimax, Puzzle, conditional, mcts, minimax, puzzle};

/// The number of walks before the match, and the maximum number of steps of each.
const WALKS: u32 = 4;
const STEPS: u32 = 2000;
const TIME: Duration = Duration::from_secs(1);
/// The number of positions up to which a game is small enough to be solved.
const SMALL: usize = 20_000;

/// The number of histories up to which a game with hidden information is visited as a whole.
const HISTORIES: usize = 50_000;

/// Examines the game and lets a suitable player play.
pub struct Auto<G: Game> {
    player: Option<Box<dyn Player<G>>>,
    why: String,
    /// Whether random walks contributed to the choice of the player.
    walked: bool,
}

impl<G: Game> Default for Auto<G> {
    fn default() -> Self {
        Auto { player: None, why: String::new(), walked: false }
    }
}

impl<G: Game + 'static> Player<G> for Auto<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let (mut player, why) = choose(game, context, deadline)?;
        let started = player.start(game, context, deadline);
        (self.player, self.why) = (Some(player), why);
        self.walked = !game.has_percepts() && game.roles().len() > 1;
        started
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.player.as_mut().expect("a match starts before its first step").update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        self.player.as_mut().expect("a match starts before its first move").select(deadline)
    }

    fn stop(&mut self, last: Option<&Observation>, goals: Option<&[Option<Goal>]>) {
        if let Some(player) = &mut self.player {
            player.stop(last, goals);
        }
    }

    fn mix(&self) -> Mix {
        let mix = self.player.as_ref().map(|player| player.mix()).unwrap_or_default();
        if self.walked { mix.of_this_match() } else { mix }
    }

    fn thought(&self) -> Thought {
        let thought = self.player.as_ref().map(|player| player.thought()).unwrap_or_default();
        Thought { strategy: Some(self.why.clone()), ..thought }
    }
}

/// What random walks show about a game.
#[derive(Debug, Default)]
struct Sight {
    states: u32,
    simultaneous: u32,
    widest: usize,
    ended: u32,
    walks: u32,
}

impl Sight {
    fn of<G: Game>(
        game: &G,
        scratch: &mut G::Scratch,
        mut chance: Rng,
        deadline: &Deadline,
    ) -> Result<Sight, Fault> {
        let mut sight = Sight::default();
        let soon = Deadline::after(TIME);
        while sight.walks < WALKS && !soon.is_over() && !deadline.is_over() {
            let mut state = game.initial();
            sight.walks += 1;
            for _ in 0..STEPS {
                let over = game.is_terminal(scratch, &state)?;
                let legal = if over { None } else { all_legal(game, scratch, &state)? };
                let Some(legal) = legal else {
                    sight.ended += 1;
                    break;
                };
                let deciding = |(role, moves): &(&Role, &Vec<MoveId>)| !role.is_chance() && moves.len() > 1;
                let deciders = game.roles().iter().zip(&legal).filter(deciding).count();
                sight.states += 1;
                sight.simultaneous += u32::from(deciders > 1);
                sight.widest = sight.widest.max(legal.iter().map(Vec::len).max().unwrap_or(0));
                if soon.is_over() || deadline.is_over() {
                    break;
                }
                let joint: Vec<MoveId> = legal.iter().map(|moves| moves[chance.below(moves.len())]).collect();
                state = game.next(scratch, &state, &joint)?;
            }
        }
        Ok(sight)
    }
}

/// A player and the reason for choosing it.
type Choice<G> = (Box<dyn Player<G>>, String);

fn choose<G: Game + 'static>(
    game: &Arc<G>,
    context: &MatchContext,
    deadline: &Deadline,
) -> Result<Choice<G>, Fault> {
    if game.has_percepts() {
        if game.roles().iter().filter(|role| !role.is_chance()).count() == 1 {
            let why =
                "pomcp, because the rules hide something and there is one player against chance".to_string();
            return Ok((Box::new(Pomcp::new(belief::Search::default())), why));
        }
        let half = deadline.remaining().map_or(Duration::ZERO, |left| left / 2);
        let limits = belief::FormLimits { histories: HISTORIES, deadline: deadline.earlier(half) };
        let form = belief::Form::build(&**game, &mut game.scratch(), &game.initial(), &limits, |_| ());
        if let Ok(form) = form {
            let why =
                format!("cfr, because the rules hide something and there are {} histories", form.histories);
            let rounds = belief::Rounds { histories: 2 * HISTORIES, ..belief::Rounds::default() };
            return Ok((Box::new(Cfr::new(rounds)), why));
        }
        let why = "ismcts, because the rules hide something".to_string();
        return Ok((Box::new(Ismcts::new(belief::Observers::default())), why));
    }
    let mut scratch = game.scratch();
    let sight = Sight::of(&**game, &mut scratch, context.seed.derive_name("auto").rng(), deadline)?;
    let roles = game.roles().iter().filter(|role| !role.is_chance()).count();
    if game.roles().len() == 1 {
        let why = format!("puzzle, because there is one role (up to {} legal moves)", sight.widest);
        return Ok((Box::new(Puzzle::new(puzzle::Settings::default())), why));
    }
    if let Some(positions) = small(&**game, &mut scratch, &sight, deadline)? {
        let why = format!("conditional, because only {positions} positions are reachable");
        return Ok((Box::new(Conditional::new(conditional::Settings { positions: 2 * SMALL })), why));
    }
    let order = if sight.simultaneous > 0 { "that move at the same time" } else { "that move in turn" };
    let seen = format!("{roles} roles {order}, up to {} legal moves", sight.widest);
    if sight.ended == 0 && sight.states > STEPS / 2 {
        let settings = minimax::Settings::default();
        let why = format!("minimax, because random games do not end ({seen})");
        return Ok((Box::new(Minimax::new(settings)), why));
    }
    Ok((Box::new(Mcts::new(mcts::Settings::default())), format!("mcts ({seen})")))
}

/// Returns the number of reachable positions, if they are few. They are counted, not timed, so that the
/// choice is the same at any load. Games without a constant sum are left to the search.
fn small<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    sight: &Sight,
    deadline: &Deadline,
) -> Result<Option<usize>, Fault> {
    // A game whose random walks are wide or long is not small, and visits are slow without numbered fluents.
    if game.grounded().is_none() || sight.widest > 200 || sight.states > 500 * WALKS {
        return Ok(None);
    }
    let half = deadline.remaining().map_or(Duration::ZERO, |left| left / 2);
    let limits = Limits { positions: SMALL, enough: None, fold: None, deadline: deadline.earlier(half) };
    Ok(match explore(game, scratch, &game.initial(), &limits, |_| ())? {
        // Without a constant sum, treating all others as opponents would be too cautious.
        Explored::Whole(graph) => graph.constant_sum().map(|_| graph.positions()),
        _ => None,
    })
}
