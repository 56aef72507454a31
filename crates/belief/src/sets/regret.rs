//! Strategies by counterfactual regret: CFR+.
//!
//! In every round each seat in turn looks, in each of its information sets, at
//! how much better every move would have done than what it mixes, and mixes by
//! what it regrets in the next round; regrets do not fall below zero, and later
//! rounds count more in the average. In games of two seats with a constant sum
//! the average approaches an equilibrium, and the gains that best responses
//! still make (together the duality gap) say how far off it is. In other games
//! it is play without regret, and the gains say what it is worth.
//!
//! O. Tammelin: Solving large imperfect information games using CFR+ (2014).
//! Here on the sequence form, so that one round is one pass over all ends and
//! one over all sets for each seat.

use game::Deadline;

use super::form::Form;

/// Rounds between two looks at how good the average is.
const BETWEEN: u64 = 25;

/// CFR+ at work on a game.
#[derive(Debug)]
pub struct Regrets<'a> {
    form: &'a Form,
    regrets: Vec<Vec<f64>>,
    /// Plans of the last round, by seat.
    plans: Vec<Vec<f64>>,
    /// Sums of plans, each weighed by the number of its round.
    sums: Vec<Vec<f64>>,
    rounds: u64,
}

/// An average strategy and how good it is.
#[derive(Debug, Clone)]
pub struct Average {
    /// Mixes, by seat.
    pub mixes: Vec<Vec<f64>>,
    /// What each seat gets if all play so.
    pub values: Vec<f64>,
    /// What each seat would gain by its best response.
    pub gains: Vec<f64>,
    /// Rounds made.
    pub rounds: u64,
}

impl Average {
    /// The sum of all gains: the duality gap where two seats share a constant sum.
    pub fn gap(&self) -> f64 {
        self.gains.iter().sum()
    }
}

impl<'a> Regrets<'a> {
    /// Before the first round, in which everybody mixes evenly.
    pub fn new(form: &'a Form) -> Regrets<'a> {
        let empty: Vec<Vec<f64>> = form.views.iter().map(|views| vec![0.0; views.sequences()]).collect();
        let even: Vec<Vec<f64>> = (0..form.seats.len()).map(|seat| form.uniform(seat)).collect();
        Regrets { form, regrets: empty.clone(), plans: form.plans(&even), sums: empty, rounds: 0 }
    }

    /// One round: every seat learns, one after the other.
    pub fn round(&mut self) {
        self.rounds += 1;
        for seat in 0..self.form.seats.len() {
            self.learn(seat);
            let (sums, plan) = (&mut self.sums[seat], &self.plans[seat]);
            sums.iter_mut().zip(plan).for_each(|(sum, reach)| *sum += self.rounds as f64 * reach);
        }
    }

    fn learn(&mut self, seat: usize) {
        let mut worth = self.form.worth(seat, &self.plans);
        let views = &self.form.views[seat];
        let regrets = &mut self.regrets[seat];
        let mut mix = vec![1.0; views.sequences()];
        for view in views.sets().iter().rev() {
            if let [_] = view.moves[..] {
                worth[view.before as usize] += worth[view.first as usize];
                continue;
            }
            // What was mixed in the last round follows from the regrets before it.
            let total: f64 = regrets[view.sequences()].iter().sum();
            let even = 1.0 / view.moves.len() as f64;
            let share = |regret: f64| if total > 0.0 { regret / total } else { even };
            let mean: f64 = view.sequences().map(|sequence| share(regrets[sequence]) * worth[sequence]).sum();
            for sequence in view.sequences() {
                regrets[sequence] = (regrets[sequence] + worth[sequence] - mean).max(0.0);
            }
            let total: f64 = regrets[view.sequences()].iter().sum();
            for sequence in view.sequences() {
                mix[sequence] = if total > 0.0 { regrets[sequence] / total } else { even };
            }
            worth[view.before as usize] += mean;
        }
        self.plans[seat] = views.plan(&mix);
    }

    /// The average so far.
    pub fn average(&self) -> Average {
        let mixes: Vec<Vec<f64>> =
            self.form.views.iter().zip(&self.sums).map(|(views, sums)| views.mix(sums)).collect();
        let plans = self.form.plans(&mixes);
        let values = (0..self.form.seats.len()).map(|seat| self.form.value(seat, &plans)).collect();
        Average { values, gains: self.form.gains(&plans), mixes, rounds: self.rounds }
    }

    /// Rounds until the gains together are below `gap`, or so many were made, or the time is over;
    /// `watch` is told the rounds and the gap now and then.
    pub fn solve(
        &mut self,
        gap: f64,
        rounds: u64,
        deadline: &Deadline,
        mut watch: impl FnMut(u64, f64),
    ) -> Average {
        loop {
            let enough = rounds.min(self.rounds + BETWEEN.max(self.rounds / 4));
            while self.rounds < enough && !deadline.is_over() {
                self.round();
            }
            let average = self.average();
            if average.gap() <= gap || self.rounds >= rounds || deadline.is_over() {
                return average;
            }
            watch(self.rounds, average.gap());
        }
    }
}
