//! A guaranteed strategy, for games that are small enough.
//!
//! Before the match every position is visited, and what the own role can guarantee is computed, whatever the
//! other roles do and on average over chance. The moves that keep this value are the strategy, one for each
//! position that can occur. If there are too many positions, a proof of a certain win from the current
//! position is searched for before each move; without one, a search with playouts chooses.

use std::sync::Arc;
use std::time::Duration;

use game::{
    Considered, Deadline, Fault, Game, Goal, MatchContext, Mix, MoveId, Observation, Parameter,
    ParameterError, Parameters, Player, Playouts, Proven, Rng, Seed, Spec, Start, Thought, all_legal,
};

use crate::exact::{Answer, Chance, Explored, Graph, Guarantees, Limits, Proof, Question, RootMove, explore};
use crate::known::{Known, hides_nothing, refusal};
use crate::mcts::select::draw;
use crate::{Mcts, mcts};

/// The number of playouts that distinguish moves of equal value.
const TRIALS: u32 = 64;

/// The settings of a [`Conditional`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// The maximum number of positions kept in memory.
    pub positions: usize,
}

impl Settings {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[Parameter::number("positions", "1000000")];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        Ok(Settings { positions: given.number("positions", 100..=1_000_000_000)? })
    }
}

/// Follows a strategy that covers every case.
pub struct Conditional<G: Game> {
    settings: Settings,
    seat: Option<Playing<G>>,
    thought: Thought,
    mix: Mix,
}

struct Playing<G: Game> {
    known: Known<G>,
    strategy: Option<(Graph<G::State>, Guarantees)>,
    search: Mcts<G>,
    rng: Rng,
    seed: Seed,
}

impl<G: Game> Conditional<G> {
    /// Creates a player with these settings.
    pub fn new(settings: Settings) -> Conditional<G> {
        Conditional { settings, seat: None, thought: Thought::default(), mix: Mix::Untold }
    }
}

impl<G: Game + 'static> Player<G> for Conditional<G> {
    fn suits(&self, game: &G, _: &Deadline) -> Result<(), Fault> {
        hides_nothing("conditional", game)
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat = None;
        let mut known = Known::new("conditional", game, context)?;
        // Values are computed after the last position is found, which also takes time.
        let half = deadline.remaining().map_or(Duration::ZERO, |left| left / 2);
        let bounds = Limits {
            positions: self.settings.positions,
            enough: None,
            fold: None,
            deadline: deadline.earlier(half),
        };
        let strategy = match explore(&**game, &mut known.scratch, &known.state, &bounds, |_| ())? {
            Explored::Whole(graph) => {
                let sure = Guarantees::of(&graph, context.role);
                Some((graph, sure))
            }
            _ => None,
        };
        let mut search = Mcts::new(mcts::Settings::default());
        search.start(game, context, deadline)?;
        let rng = context.seed.derive_name("conditional").rng();
        let seed = context.seed.derive_name("trials");
        self.seat = Some(Playing { known, strategy, search, rng, seed });
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        let seat = self.seat.as_mut().ok_or_else(|| refusal("conditional"))?;
        if seat.strategy.is_none() {
            seat.search.update(observation)?;
        }
        seat.known.update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(|| refusal("conditional"))?;
        let chosen;
        (chosen, self.thought, self.mix) = seat.choose(self.settings.positions, deadline)?;
        Ok(chosen)
    }

    fn stop(&mut self, last: Option<&Observation>, goals: Option<&[Option<Goal>]>) {
        if let Some(seat) = self.seat.as_mut().filter(|seat| seat.strategy.is_none()) {
            seat.search.stop(last, goals);
        }
    }

    fn mix(&self) -> Mix {
        self.mix.clone()
    }

    fn thought(&self) -> Thought {
        self.thought.clone()
    }
}

impl<G: Game + 'static> Playing<G> {
    fn choose(&mut self, positions: usize, deadline: &Deadline) -> Result<(MoveId, Thought, Mix), Fault> {
        let legal = self.known.legal()?;
        if let [only] = legal[..] {
            return Ok((only, Thought::only_move(), Mix::sure(only)));
        }
        let (game, state) = (Arc::clone(&self.known.game), self.known.state.clone());
        let known = match &self.strategy {
            None => None,
            Some((graph, sure)) => match graph.number(&*game, &state)? {
                None => None,
                Some(place) => {
                    let moves = sure.moves(graph, &*game, &mut self.known.scratch, &state)?;
                    Some((moves, sure.value(place), graph.positions()))
                }
            },
        };
        if let Some((moves, value, positions)) = known {
            let (chosen, mix) = self.pick(&moves, value)?;
            let considered =
                |of: &RootMove| Considered { value: Some(of.value), proven: true, ..Considered::new(of.mv) };
            let mut thought = Thought {
                value: Some(value),
                proven: Some(Proven::Exactly(None)),
                moves: moves.iter().filter(|of| of.best || of.share > 0.0).map(considered).collect(),
                ..Thought::default()
            };
            thought.note("strategy", format!("computed for all {positions} positions"));
            return Ok((moves[chosen].mv, thought, mix));
        }
        let question = Question { role: self.known.role, at_least: 100, chance: Chance::Opposes };
        let mut proof = Proof::new(&*game, question, positions);
        let half = deadline.remaining().map_or(Duration::ZERO, |left| left / 2);
        let limit = if deadline.remaining().is_none() {
            Deadline::after(Duration::from_secs(1))
        } else {
            deadline.earlier(half)
        };
        let scratch = &mut self.known.scratch;
        if proof.answer(scratch, &state, &limit, u64::MAX, |_| ())? == Answer::Yes
            && let Some(joint) = proof.keeping(scratch, &state, true)?.first()
        {
            let mut thought =
                Thought { value: Some(100.0), proven: Some(Proven::Exactly(None)), ..Thought::default() };
            thought.note("strategy", format!("a guaranteed win, {} positions visited", proof.visited()));
            return Ok((joint[self.known.role.index()], thought, Mix::Untold));
        }
        let chosen = self.search.select(deadline)?;
        let why =
            format!("mcts, because the game is too large to solve ({} positions visited)", proof.visited());
        Ok((chosen, Thought { strategy: Some(why), ..self.search.thought() }, Mix::Untold))
    }

    /// Chooses one of the moves that keep the value. A certain win makes progress with the move that was
    /// known first. Otherwise the move that does best in playouts gives the others the most opportunities for
    /// mistakes. If moves are mixed, one is drawn. The probabilities of the moves are known unless playouts
    /// decide.
    fn pick(&mut self, moves: &[RootMove], value: f64) -> Result<(usize, Mix), Fault> {
        let best: Vec<usize> = (0..moves.len()).filter(|&place| moves[place].best).collect();
        let first = best.iter().copied().min_by_key(|&place| moves[place].rank);
        let Some(first) = first else {
            let shares: Vec<f64> = moves.iter().map(|mv| mv.share).collect();
            let mix = moves.iter().map(|of| of.mv).zip(belief::normalised(&shares)).collect();
            return Ok((draw(&mut self.rng, &shares), Mix::Known(mix)));
        };
        let Known { game, scratch, role, state, step } = &mut self.known;
        let Some(legal) = all_legal(&**game, scratch, state)?.filter(|_| value < 100.0 && best.len() > 1)
        else {
            return Ok((first, Mix::sure(moves[first].mv)));
        };
        let start = |&place: &usize| {
            let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
            joint[role.index()] = moves[place].mv;
            Start { state: state.clone(), first: Some(joint.into()), count: TRIALS }
        };
        let starts: Vec<Start<G::State>> = best.iter().map(start).collect();
        let request = Playouts { max_steps: 1000, ..Playouts::new(&starts, self.seed.derive(*step)) };
        let outcomes = game.playouts(scratch, &request)?;
        let points = |number: usize| -> i64 {
            let range = number * TRIALS as usize..((number + 1) * TRIALS as usize).min(outcomes.len());
            range.map(|playout| i64::from(outcomes.goals_of(playout)[role.index()].clamp(0, 100))).sum()
        };
        let chosen = (0..best.len()).max_by_key(|&number| (points(number), std::cmp::Reverse(number)));
        Ok((chosen.map_or(first, |number| best[number]), Mix::Untold))
    }
}
