//! The player that computes its strategy before the match.
//!
//! If the whole game can be visited, [`Regrets`] finds a strategy for every information set; the player looks
//! up its information set and draws a move. In games of two roles with a constant sum the strategy is close
//! to an equilibrium: nobody can win much against it.

use std::sync::Arc;

use game::{
    Considered, Deadline, Fault, Game, MatchContext, Mix, MoveId, Observation, Parameter, ParameterError,
    Parameters, Player, Rng, Spec, Thought,
};

use super::believer::{draw, no_move};
use super::sets::{Average, Form, FormLimits, NOTHING, Regrets};

/// The settings of a [`Cfr`].
#[derive(Debug, Clone, Copy)]
pub struct Rounds {
    /// The maximum number of rounds.
    pub rounds: u64,
    /// The maximum number of histories of the game.
    pub histories: usize,
    /// The sum of the gains of best responses at which it stops.
    pub gap: f64,
}

impl Default for Rounds {
    fn default() -> Rounds {
        Rounds::read(&Spec::named("cfr")).expect("the usual values are in range")
    }
}

impl Rounds {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::number("rounds", "2000"),
        Parameter::number("histories", "2000000"),
        Parameter::number("gap", "0.01"),
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Rounds, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        Ok(Rounds {
            rounds: given.number("rounds", 1..=u64::MAX)?,
            histories: given.number("histories", 1..=1_000_000_000)?,
            gap: given.number("gap", 0.0..=1000.0)?,
        })
    }

    /// Returns `true` if an average was computed to the end and not cut short by a deadline.
    pub fn are_done(&self, average: &Average) -> bool {
        average.rounds >= self.rounds || average.gap() <= self.gap
    }
}

/// Plays a strategy that was computed before the match.
pub struct Cfr {
    rounds: Rounds,
    seat: Option<Playing>,
}

struct Playing {
    form: Form,
    average: Average,
    seat: usize,
    /// The information set, as long as what was seen is possible.
    set: Option<u32>,
    chance: Rng,
    mix: Vec<(MoveId, f64)>,
}

impl Cfr {
    /// Creates a player with these settings.
    pub fn new(rounds: Rounds) -> Cfr {
        Cfr { rounds, seat: None }
    }
}

/// Converts a fault to a statement that the game is too large.
fn too_large(fault: Fault) -> Fault {
    match fault {
        Fault::Budget(_) | Fault::Stopped => {
            Fault::Unsupported(format!("`cfr` plays only small games; {fault}: use `ismcts` or `oos`"))
        }
        other => other,
    }
}

impl<G: Game> Player<G> for Cfr {
    fn is_counted(&self) -> bool {
        // Rounds and histories always have a limit, given or not.
        true
    }

    fn suits(&self, game: &G, deadline: &Deadline) -> Result<(), Fault> {
        let limits = FormLimits { histories: self.rounds.histories, deadline: deadline.clone() };
        match Form::build(game, &mut game.scratch(), &game.initial(), &limits, |_| ()) {
            Err(Fault::Stopped) | Ok(_) => Ok(()),
            Err(fault) => Err(too_large(fault)),
        }
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let margin = deadline.remaining().unwrap_or_default() / 8;
        let deadline = deadline.earlier(margin);
        let limits = FormLimits { histories: self.rounds.histories, deadline: deadline.clone() };
        let form = Form::build(&**game, &mut game.scratch(), &game.initial(), &limits, |_| ());
        let form = form.map_err(too_large)?;
        let average = Regrets::new(&form).solve(self.rounds.gap, self.rounds.rounds, &deadline, |_, _| ());
        let seat = form.seat_of(context.role).ok_or_else(no_move)?;
        let set = form.views[seat].find(NOTHING, &[]);
        let chance = context.seed.derive_name("choice").rng();
        self.seat = Some(Playing { form, average, seat, set, chance, mix: Vec::new() });
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        let seat = self.seat.as_mut().ok_or_else(no_move)?;
        let views = &seat.form.views[seat.seat];
        let after = |set| views.find(views.sequence(set, observation.own)?, &observation.percepts);
        seat.set = seat.set.and_then(after);
        Ok(())
    }

    fn select(&mut self, _: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(no_move)?;
        let lost = || Fault::BadState("no history of this game agrees with what was seen".to_string());
        let view = seat.form.views[seat.seat].set(seat.set.ok_or_else(lost)?);
        let mix = &seat.average.mixes[seat.seat];
        seat.mix = view.moves.iter().zip(view.sequences()).map(|(&mv, at)| (mv, mix[at])).collect();
        draw(&seat.mix, &mut seat.chance).ok_or_else(no_move)
    }

    fn mix(&self) -> Mix {
        let Some(seat) = &self.seat else { return Mix::Untold };
        match self.rounds.are_done(&seat.average) {
            true => Mix::Known(seat.mix.clone()),
            false => Mix::Drawn(seat.mix.clone()),
        }
    }

    fn thought(&self) -> Thought {
        let Some(seat) = &self.seat else { return Thought::default() };
        let mut mix = seat.mix.clone();
        mix.sort_by(|a, b| b.1.total_cmp(&a.1));
        let considered =
            |&(mv, share): &(MoveId, f64)| Considered { share: Some(share), ..Considered::new(mv) };
        let mut thought = Thought {
            value: Some(seat.average.values[seat.seat]),
            moves: mix.iter().map(considered).collect(),
            ..Thought::default()
        };
        let text = format!("{:.4} after {} rounds", seat.average.gap(), seat.average.rounds);
        thought.note("gap", text);
        thought
    }
}
