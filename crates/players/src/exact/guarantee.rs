//! What one role can guarantee in every position.
//!
//! All other roles play against it together; simultaneous moves are mixed, and chance is averaged. This is
//! value iteration: values start at zero and are raised until they no longer change, which yields the least
//! fixpoint. A match that never ends is worth nothing to the role.

use game::{Fault, Game, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::Maximin;
use super::explore::{Graph, Kind};

/// The maximum number of sweeps over all positions; needed for positions that repeat under chance.
const SWEEPS: usize = 100_000;
/// A change below this is ignored.
const SMALL: f64 = 1e-9;

/// The guaranteed value of a role in each position.
pub struct Guarantees {
    role: RoleId,
    values: Vec<f64>,
    /// When each value was last raised. A value depends on values that were raised earlier.
    raised: Vec<u32>,
}

/// A move in the first position.
#[derive(Debug, Clone, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: MoveId,
    /// What it guarantees if the others know it.
    pub value: f64,
    /// The probability with which optimal play makes it.
    pub share: f64,
    /// Whether it guarantees the value of the position.
    pub best: bool,
    /// When the values of its successors were known; the earlier, the nearer to the end.
    pub rank: u32,
}

/// The positions of the successors by own moves, the others' moves and draws.
struct Table {
    rows: usize,
    columns: usize,
    draws: usize,
    offsets: Vec<u32>,
}

impl Guarantees {
    /// Computes the guarantees of a role.
    pub fn of<S>(graph: &Graph<S>, role: RoleId) -> Guarantees {
        let mut tables: FxHashMap<u32, Table> = FxHashMap::default();
        for shape in 0..graph.shapes.len() as u32 {
            tables.insert(shape, Table::of(graph, shape, role));
        }
        let mut values = vec![0.0; graph.positions()];
        let (mut raised, mut moment) = (vec![0; values.len()], 0u32);
        for _ in 0..SWEEPS {
            let mut changed = false;
            for place in (0..values.len()).rev() {
                let value = match graph.nodes[place] {
                    Kind::DeadEnd => 0.0,
                    Kind::Over(goals) => {
                        f64::from(graph.payoffs[goals as usize][role.index()].unwrap_or(0).clamp(0, 100))
                    }
                    Kind::Open { shape, first } => {
                        let table = &tables[&shape];
                        let after = &graph.successors[first as usize..];
                        match (table.rows, table.columns) {
                            // The usual cases need no matrix.
                            (_, 1) => (0..table.rows)
                                .map(|row| table.cell(row, 0, after, &values))
                                .fold(f64::NEG_INFINITY, f64::max),
                            (1, _) => (0..table.columns)
                                .map(|column| table.cell(0, column, after, &values))
                                .fold(f64::INFINITY, f64::min),
                            _ => Maximin::of(&table.matrix(after, &values), table.columns).value,
                        }
                    }
                };
                if (value - values[place]).abs() > SMALL {
                    values[place] = value;
                    moment = moment.saturating_add(1);
                    raised[place] = moment;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Guarantees { role, values, raised }
    }

    /// Returns what the role can guarantee in a position.
    pub fn value(&self, position: u32) -> f64 {
        self.values[position as usize]
    }

    /// Returns the moves of the role in a position, if it has a choice there.
    pub fn moves<G: Game>(
        &self,
        graph: &Graph<G::State>,
        game: &G,
        scratch: &mut G::Scratch,
        state: &G::State,
    ) -> Result<Vec<RootMove>, Fault> {
        let position = graph.number(game, state)?;
        let Some(Kind::Open { shape, first }) = position.map(|place| graph.nodes[place as usize]) else {
            return Ok(Vec::new());
        };
        let mut moves = Vec::new();
        game.legal(scratch, state, self.role, &mut moves)?;
        let table = Table::of(graph, shape, self.role);
        let pays = table.matrix(&graph.successors[first as usize..], &self.values);
        let solved = Maximin::of(&pays, table.columns);
        let row = |(number, mv): (usize, &MoveId)| {
            let row = &pays[number * table.columns..(number + 1) * table.columns];
            let value = row.iter().copied().fold(f64::INFINITY, f64::min);
            let best = value >= solved.value - SMALL;
            let from = number * table.columns * table.draws;
            let offsets = &table.offsets[from..from + table.columns * table.draws];
            let after = offsets.iter().map(|&offset| graph.successors[first as usize + offset as usize]);
            let rank = after.map(|place| self.raised[place as usize]).max().unwrap_or(0);
            RootMove { mv: *mv, value, share: solved.rows[number], best, rank }
        };
        Ok(moves.iter().enumerate().map(row).collect())
    }
}

impl Table {
    fn of<S>(graph: &Graph<S>, shape: u32, role: RoleId) -> Table {
        let counts = &graph.shapes[shape as usize];
        let product = |wanted: &dyn Fn(usize) -> bool| -> usize {
            (0..graph.roles).filter(|&r| wanted(r)).map(|r| counts[r] as usize).product()
        };
        let own = role.index();
        let (rows, columns) = (counts[own] as usize, product(&|r| r != own && !graph.chance[r]));
        let draws = product(&|r| r != own && graph.chance[r]);
        let mut offsets = vec![0; rows * columns * draws];
        let total: u32 = counts.iter().product();
        for joint in 0..total {
            // Joint moves are numbered with the last role varying fastest.
            let (mut left, mut places) = (joint, vec![0; graph.roles]);
            for r in (0..graph.roles).rev() {
                places[r] = (left % counts[r]) as usize;
                left /= counts[r];
            }
            let (mut column, mut draw) = (0, 0);
            for r in (0..graph.roles).filter(|&r| r != own) {
                let part = if graph.chance[r] { &mut draw } else { &mut column };
                *part = *part * counts[r] as usize + places[r];
            }
            offsets[(places[own] * columns + column) * draws + draw] = joint;
        }
        Table { rows, columns, draws, offsets }
    }

    /// Returns the value of one pair of choices, averaged over chance.
    fn cell(&self, row: usize, column: usize, after: &[u32], values: &[f64]) -> f64 {
        let from = (row * self.columns + column) * self.draws;
        let offsets = &self.offsets[from..from + self.draws];
        let sum: f64 = offsets.iter().map(|&offset| values[after[offset as usize] as usize]).sum();
        sum / self.draws as f64
    }

    fn matrix(&self, after: &[u32], values: &[f64]) -> Vec<f64> {
        let cells = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        cells.map(|(row, column)| self.cell(row, column, after, values)).collect()
    }
}
