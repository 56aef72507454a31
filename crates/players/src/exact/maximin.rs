//! The value that one side can guarantee if both choose simultaneously.
//!
//! The value and an optimal mixed strategy of a matrix game are found by linear programming: the simplex
//! method on a dense tableau with Bland's rule, which cannot cycle. Games with a pure saddle point are solved
//! without it.

/// The solution for the side that chooses the row.
#[derive(Debug, Clone, PartialEq)]
pub struct Maximin {
    /// The value of the game.
    pub value: f64,
    /// The probability of each row.
    pub rows: Vec<f64>,
}

const TINY: f64 = 1e-10;

impl Maximin {
    /// Solves a game with payoffs given row by row.
    pub fn of(pays: &[f64], columns: usize) -> Maximin {
        let rows = pays.len() / columns.max(1);
        let worst = |row: usize| {
            pays[row * columns..(row + 1) * columns].iter().copied().fold(f64::INFINITY, f64::min)
        };
        let mut best = 0;
        for row in 1..rows {
            if worst(row) > worst(best) {
                best = row;
            }
        }
        let top = |column: usize| {
            (0..rows).map(|row| pays[row * columns + column]).fold(f64::NEG_INFINITY, f64::max)
        };
        let cap = (0..columns).map(top).fold(f64::INFINITY, f64::min);
        if cap - worst(best) <= TINY {
            let mut strategy = vec![0.0; rows];
            strategy[best] = 1.0;
            return Maximin { value: worst(best), rows: strategy };
        }
        mixed(pays, rows, columns)
    }
}

/// Maximises the sum of `y` subject to `A y <= 1`, for payoffs shifted to be positive. The value is one over
/// the sum, and the dual prices of the rows are the strategy.
#[allow(clippy::needless_range_loop, reason = "rows and columns of a tableau are numbers")]
fn mixed(pays: &[f64], rows: usize, columns: usize) -> Maximin {
    let shift = 1.0 - pays.iter().copied().fold(f64::INFINITY, f64::min);
    let width = columns + rows + 1;
    let mut table = vec![vec![0.0; width]; rows + 1];
    for row in 0..rows {
        for column in 0..columns {
            table[row][column] = pays[row * columns + column] + shift;
        }
        table[row][columns + row] = 1.0;
        table[row][width - 1] = 1.0;
    }
    table[rows][..columns].fill(-1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    while let Some(enter) = (0..width - 1).find(|&column| table[rows][column] < -TINY) {
        let mut leave: Option<(f64, usize)> = None;
        for row in (0..rows).filter(|&row| table[row][enter] > TINY) {
            let ratio = table[row][width - 1] / table[row][enter];
            let better = leave.is_none_or(|(least, other)| {
                ratio < least - TINY || (ratio <= least + TINY && basis[row] < basis[other])
            });
            if better {
                leave = Some((ratio, row));
            }
        }
        // Payoffs are positive, so the sum is bounded and some row always limits it.
        let Some((_, leave)) = leave else { break };
        let pivot = table[leave][enter];
        table[leave].iter_mut().for_each(|cell| *cell /= pivot);
        let pivot_row = table[leave].clone();
        for (row, cells) in table.iter_mut().enumerate() {
            let factor = cells[enter];
            if row != leave && factor != 0.0 {
                cells.iter_mut().zip(&pivot_row).for_each(|(cell, p)| *cell -= factor * p);
            }
        }
        basis[leave] = enter;
    }
    let sum = table[rows][width - 1];
    let strategy = (0..rows).map(|row| (table[rows][columns + row] / sum).max(0.0)).collect();
    Maximin { value: 1.0 / sum - shift, rows: strategy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_or_a_saddle_point_needs_no_mixing() {
        assert_eq!(Maximin::of(&[3.0, 1.0, 2.0], 3), Maximin { value: 1.0, rows: vec![1.0] });
        assert_eq!(Maximin::of(&[3.0, 7.0, 2.0], 1), Maximin { value: 7.0, rows: vec![0.0, 1.0, 0.0] });
        assert_eq!(Maximin::of(&[60.0, 0.0, 100.0, 20.0], 2).value, 20.0);
    }

    #[test]
    fn biased_rock_paper_scissors_has_its_equilibrium() {
        let found = Maximin::of(&[50.0, 30.0, 60.0, 70.0, 50.0, 0.0, 40.0, 100.0, 50.0], 3);
        assert!((found.value - 50.0).abs() < 1e-9, "{found:?}");
        for (p, q) in found.rows.iter().zip([5.0 / 8.0, 1.0 / 8.0, 2.0 / 8.0]) {
            assert!((p - q).abs() < 1e-9, "{found:?}");
        }
    }
}
