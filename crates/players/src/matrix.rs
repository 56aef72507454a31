//! Simultaneous moves in a single step: mixed strategies.
//!
//! Regret matching+ with linearly weighted averages (Tammelin 2014), with alternating updates of the sides.
//! In zero-sum games the averages converge to an equilibrium; in other games, to play without regret.

use belief::normalised;

/// The number of rounds for strategies that are accurate to about a hundredth of a point.
pub(crate) const FINE: u32 = 4000;
/// The number of rounds for values that are used in other values.
pub(crate) const COARSE: u32 = 200;

/// A game of one step: the payoffs of both sides by row and column.
pub(crate) struct Matrix {
    pub rows: usize,
    pub columns: usize,
    /// The payoffs of the side that chooses the row, row by row.
    pub row_pays: Vec<f64>,
    /// The payoffs of the side that chooses the column, row by row.
    pub column_pays: Vec<f64>,
}

impl Matrix {
    /// Returns mixed strategies for rows and columns.
    pub fn solve(&self, rounds: u32) -> (Vec<f64>, Vec<f64>) {
        let (mut row, mut column) = (Side::new(self.rows), Side::new(self.columns));
        for round in 1..=rounds {
            // The sides alternate: each learns against what the other has just learned.
            let pay = |pays: &[f64], i: usize, j: usize| pays[i * self.columns + j];
            let y = column.strategy();
            let against = |i: usize| (0..self.columns).map(|j| y[j] * pay(&self.row_pays, i, j)).sum();
            row.learn(&(0..self.rows).map(against).collect::<Vec<f64>>(), f64::from(round));
            let x = row.strategy();
            let against = |j: usize| (0..self.rows).map(|i| x[i] * pay(&self.column_pays, i, j)).sum();
            column.learn(&(0..self.columns).map(against).collect::<Vec<f64>>(), f64::from(round));
        }
        (normalised(&row.total), normalised(&column.total))
    }

    /// Returns the value for the row side if there is a pure saddle point. Payoffs must have a constant sum.
    pub fn saddle(&self) -> Option<f64> {
        let pay = |i: usize, j: usize| self.row_pays[i * self.columns + j];
        let row_worst = |i: usize| (0..self.columns).map(|j| pay(i, j)).fold(f64::INFINITY, f64::min);
        let column_best = |j: usize| (0..self.rows).map(|i| pay(i, j)).fold(f64::NEG_INFINITY, f64::max);
        let low = (0..self.rows).map(row_worst).fold(f64::NEG_INFINITY, f64::max);
        let high = (0..self.columns).map(column_best).fold(f64::INFINITY, f64::min);
        (low >= high).then_some(low)
    }

    /// Returns the expected payoff of the row side.
    pub fn row_value(&self, x: &[f64], y: &[f64]) -> f64 {
        let cell = |i: usize, j: usize| x[i] * y[j] * self.row_pays[i * self.columns + j];
        (0..self.rows).map(|i| (0..self.columns).map(|j| cell(i, j)).sum::<f64>()).sum()
    }
}

/// Returns mixed strategies for any number of sides. `sizes` are their numbers of moves; `pays[side][cell]`
/// is the payoff of a side, with the last side's move varying fastest.
pub(crate) fn solve_all(sizes: &[usize], pays: &[Vec<f64>], rounds: u32) -> Vec<Vec<f64>> {
    let mut sides: Vec<Side> = sizes.iter().map(|&size| Side::new(size)).collect();
    for round in 1..=rounds {
        for side in 0..sizes.len() {
            let strategies: Vec<Vec<f64>> = sides.iter().map(Side::strategy).collect();
            let mut values = vec![0.0; sizes[side]];
            each_cell(sizes, |cell, places| {
                let others = (0..sizes.len()).filter(|&other| other != side);
                let chance: f64 = others.map(|other| strategies[other][places[other]]).product();
                values[places[side]] += chance * pays[side][cell];
            });
            sides[side].learn(&values, f64::from(round));
        }
    }
    sides.iter().map(|side| normalised(&side.total)).collect()
}

/// Calls `visit` with every cell and the moves of the sides in it.
pub(crate) fn each_cell(sizes: &[usize], mut visit: impl FnMut(usize, &[usize])) {
    let mut places = vec![0; sizes.len()];
    for cell in 0..sizes.iter().product() {
        visit(cell, &places);
        for side in (0..sizes.len()).rev() {
            places[side] += 1;
            if places[side] < sizes[side] {
                break;
            }
            places[side] = 0;
        }
    }
}

struct Side {
    regret: Vec<f64>,
    total: Vec<f64>,
}

impl Side {
    fn new(moves: usize) -> Side {
        Side { regret: vec![0.0; moves], total: vec![0.0; moves] }
    }

    fn strategy(&self) -> Vec<f64> {
        normalised(&self.regret)
    }

    fn learn(&mut self, values: &[f64], weight: f64) {
        let strategy = self.strategy();
        let mean: f64 = strategy.iter().zip(values).map(|(p, v)| p * v).sum();
        for i in 0..values.len() {
            self.regret[i] = (self.regret[i] + values[i] - mean).max(0.0);
            self.total[i] += weight * strategy[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn biased_rock_paper_scissors_has_its_equilibrium() {
        let row_pays = vec![50.0, 30.0, 60.0, 70.0, 50.0, 0.0, 40.0, 100.0, 50.0];
        let column_pays = row_pays.iter().map(|p| 100.0 - p).collect();
        let matrix = Matrix { rows: 3, columns: 3, row_pays, column_pays };
        let (x, y) = matrix.solve(FINE);
        for side in [&x, &y] {
            for (p, q) in side.iter().zip([5.0 / 8.0, 1.0 / 8.0, 2.0 / 8.0]) {
                assert!((p - q).abs() < 0.005, "{side:?}");
            }
        }
        assert!((matrix.row_value(&x, &y) - 50.0).abs() < 0.1);
    }

    #[test]
    fn three_sides_find_what_is_best_for_each() {
        // Each side gets 10 for its second move, and 5 more if all others make theirs too.
        let sizes = [2, 2, 2];
        let mut pays = vec![vec![0.0; 8]; 3];
        each_cell(&sizes, |cell, places| {
            for side in 0..3 {
                pays[side][cell] = 10.0 * places[side] as f64 + if places == [1, 1, 1] { 5.0 } else { 0.0 };
            }
        });
        for strategy in solve_all(&sizes, &pays, COARSE) {
            assert!(strategy[1] > 0.99, "{strategy:?}");
        }
    }

    #[test]
    fn dominated_moves_are_not_made() {
        let (row_pays, column_pays) = (vec![60.0, 0.0, 100.0, 20.0], vec![60.0, 100.0, 0.0, 20.0]);
        let (x, y) = Matrix { rows: 2, columns: 2, row_pays, column_pays }.solve(FINE);
        assert!(x[1] > 0.999 && y[1] > 0.999, "{x:?} {y:?}");
    }
}
