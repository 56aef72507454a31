//! What one role can be sure to get from every position.
//!
//! All other roles play against it together; moves made at the same time are
//! mixed, and chance is averaged. Values start at nothing and are raised until
//! they no longer change, which gives the least solution: a match that never
//! ends is worth nothing to the role.

use game::{Fault, Game, MoveId, RoleId};
use rustc_hash::FxHashMap;

use super::Maximin;
use super::explore::{Graph, Kind};

/// Sweeps over all positions, at most; positions that repeat under chance need the limit.
const SWEEPS: usize = 100_000;
/// A change that is too small to be one.
const SMALL: f64 = 1e-9;

/// What a role can be sure of, position by position.
pub struct Guarantees {
    role: RoleId,
    values: Vec<f64>,
    /// When each value was raised last; a value rests on values that were raised before.
    raised: Vec<u32>,
}

/// A move in the first position.
#[derive(Debug, Clone, PartialEq)]
pub struct RootMove {
    /// Which.
    pub mv: MoveId,
    /// What it guarantees when the others know it.
    pub value: f64,
    /// With which probability best play makes it.
    pub share: f64,
    /// Whether it guarantees all there is to be had.
    pub best: bool,
    /// When what follows was known; the earlier, the nearer it is to the end.
    pub rank: u32,
}

/// Where the successors for own moves, the others' moves and draws are.
struct Table {
    rows: usize,
    columns: usize,
    draws: usize,
    offsets: Vec<u32>,
}

impl Guarantees {
    /// Of a role.
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
                            // The usual cases without a matrix.
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

    /// What the role is sure of in a position.
    pub fn value(&self, position: u32) -> f64 {
        self.values[position as usize]
    }

    /// The moves of the role in a position, if it has a choice there.
    pub fn moves<G: Game>(
        &self,
        graph: &Graph<G::State>,
        game: &G,
        state: &G::State,
    ) -> Result<Vec<RootMove>, Fault> {
        let position = graph.number(game, state)?;
        let Some(Kind::Open { shape, first }) = position.map(|place| graph.nodes[place as usize]) else {
            return Ok(Vec::new());
        };
        let mut moves = Vec::new();
        game.legal(state, self.role, &mut moves)?;
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
            // Joint moves are counted with the last role turning fastest.
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

    /// The value of one pair of choices, averaged over chance.
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
