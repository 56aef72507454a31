//! Strategies by counterfactual regret minimisation: CFR+.
//!
//! In every round each seat in turn computes, for each of its information sets, how much better every move
//! would have done than its current strategy, and plays in proportion to the regrets in the next round
//! (regret matching). Regrets never fall below zero, and later rounds count more in the average. In games of
//! two seats with a constant sum the average converges to an equilibrium, and the gains of best responses
//! (their sum is the duality gap) measure the distance. In other games it is play without regret, and the
//! gains measure its quality.
//!
//! O. Tammelin: Solving large imperfect information games using CFR+ (2014). Here on the sequence form, so
//! that one round is one pass over all ends and one over all sets for each seat.

use game::Deadline;

use super::form::Form;

/// The number of rounds between two evaluations of the average.
const BETWEEN: u64 = 25;

/// A run of CFR+ on a game.
#[derive(Debug)]
pub struct Regrets<'a> {
    form: &'a Form,
    regrets: Vec<Vec<f64>>,
    /// The plans of the last round, by seat.
    plans: Vec<Vec<f64>>,
    /// The sums of plans, each weighted by the number of its round.
    sums: Vec<Vec<f64>>,
    rounds: u64,
}

/// An average strategy and its quality.
#[derive(Debug, Clone)]
pub struct Average {
    /// The mixes, by seat.
    pub mixes: Vec<Vec<f64>>,
    /// The value of each seat if all play so.
    pub values: Vec<f64>,
    /// What each seat would gain by its best response.
    pub gains: Vec<f64>,
    /// The number of rounds.
    pub rounds: u64,
}

impl Average {
    /// Returns the sum of all gains: the duality gap, if two seats have a constant sum.
    pub fn gap(&self) -> f64 {
        self.gains.iter().sum()
    }
}

impl<'a> Regrets<'a> {
    /// Creates the state before the first round, in which everybody mixes uniformly.
    pub fn new(form: &'a Form) -> Regrets<'a> {
        let empty: Vec<Vec<f64>> = form.views.iter().map(|views| vec![0.0; views.sequences()]).collect();
        let even: Vec<Vec<f64>> = (0..form.seats.len()).map(|seat| form.uniform(seat)).collect();
        Regrets { form, regrets: empty.clone(), plans: form.plans(&even), sums: empty, rounds: 0 }
    }

    /// Performs one round: every seat learns, one after the other.
    pub fn round(&mut self) {
        self.rounds += 1;
        for seat in 0..self.form.seats.len() {
            self.learn(seat);
            let (sums, plan) = (&mut self.sums[seat], &self.plans[seat]);
            sums.iter_mut().zip(plan).for_each(|(sum, reach)| *sum += self.rounds as f64 * reach);
        }
    }

    fn learn(&mut self, seat: usize) {
        let mut worth = self.form.worth(seat, seat, &self.plans);
        let views = &self.form.views[seat];
        let regrets = &mut self.regrets[seat];
        let mut mix = vec![1.0; views.sequences()];
        for view in views.sets().iter().rev() {
            if let [_] = view.moves[..] {
                worth[view.before as usize] += worth[view.first as usize];
                continue;
            }
            // The strategy of the last round follows from the regrets before it.
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

    /// Returns the average so far.
    pub fn average(&self) -> Average {
        let mixes: Vec<Vec<f64>> =
            self.form.views.iter().zip(&self.sums).map(|(views, sums)| views.mix(sums)).collect();
        let plans = self.form.plans(&mixes);
        let values = (0..self.form.seats.len()).map(|seat| self.form.value(seat, &plans)).collect();
        Average { values, gains: self.form.gains(&plans), mixes, rounds: self.rounds }
    }

    /// Performs rounds until the sum of the gains is at most `gap`, or this many were made, or the deadline
    /// passes. `watch` is called with the number of rounds and the gap from time to time.
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
