//! The values of strategies against each other, and best responses.
//!
//! A strategy is given as a *mix* (the probability of every move in its set, by sequence) or as a *plan* (the
//! probability of all moves of a sequence), both as lists over the sequences of a seat.

use super::form::Form;

impl Form {
    /// Returns the mix in which all moves are equally likely.
    pub fn uniform(&self, seat: usize) -> Vec<f64> {
        let views = &self.views[seat];
        let mut mix = vec![1.0; views.sequences()];
        for view in views.sets() {
            view.sequences().for_each(|sequence| mix[sequence] = 1.0 / view.moves.len() as f64);
        }
        mix
    }

    /// Returns the plans of mixes, seat by seat.
    pub fn plans(&self, mixes: &[Vec<f64>]) -> Vec<Vec<f64>> {
        self.views.iter().zip(mixes).map(|(views, mix)| views.plan(mix)).collect()
    }

    /// Returns the value of a seat if all play so.
    pub fn value(&self, seat: usize, plans: &[Vec<f64>]) -> f64 {
        let [value] = self.values(seat, [&plans[seat]], plans);
        value
    }

    /// Returns the values of several plans of a seat if the others play so.
    pub fn values<const N: usize>(&self, seat: usize, own: [&[f64]; N], plans: &[Vec<f64>]) -> [f64; N] {
        let worth = self.worth(seat, seat, plans);
        own.map(|plan| worth.iter().zip(plan).map(|(worth, reach)| worth * reach).sum())
    }

    /// Returns for each sequence of a seat the payoff of the seat `payee` at the ends right after it, times
    /// the probability that the others reach them.
    pub fn worth(&self, seat: usize, payee: usize, plans: &[Vec<f64>]) -> Vec<f64> {
        let seats = self.seats.len();
        let mut worth = vec![0.0; self.views[seat].sequences()];
        for (ends, pays) in self.ends.chunks_exact(seats).zip(self.pays.chunks_exact(seats)) {
            let mut pay = pays[payee];
            for other in (0..seats).filter(|other| *other != seat) {
                pay *= plans[other][ends[other] as usize];
            }
            worth[ends[seat] as usize] += pay;
        }
        worth
    }

    /// Returns the most a seat can get against these plans of the others, and a mix that gets it.
    pub fn best_response(&self, seat: usize, plans: &[Vec<f64>]) -> (f64, Vec<f64>) {
        self.largest(seat, self.worth(seat, seat, plans))
    }

    /// Returns the most that the sequences of a seat can be worth together, and a mix for which they are.
    pub fn largest(&self, seat: usize, mut worth: Vec<f64>) -> (f64, Vec<f64>) {
        let views = &self.views[seat];
        let mut mix = vec![0.0; views.sequences()];
        mix[0] = 1.0;
        for view in views.sets().iter().rev() {
            let mut best = view.first as usize;
            for sequence in view.sequences() {
                if worth[sequence] > worth[best] {
                    best = sequence;
                }
            }
            mix[best] = 1.0;
            worth[view.before as usize] += worth[best];
        }
        (worth[0], mix)
    }

    /// Returns what each seat would gain by changing to its best response.
    pub fn gains(&self, plans: &[Vec<f64>]) -> Vec<f64> {
        let gain = |seat| self.best_response(seat, plans).0 - self.value(seat, plans);
        (0..self.seats.len()).map(gain).collect()
    }
}
