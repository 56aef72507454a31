//! The arrangement of the squares of a board.
//!
//! Squares with six neighbours are hexagons. The rules show which squares are neighbours: a static
//! relation over pairs of squares, whose steps from one square to the next are those of hexagons in
//! one of three coordinate systems.

use std::collections::BTreeSet;

use crate::board::fluent::Grid;

/// The arrangement of the squares of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Lattice {
    /// In rows and columns.
    #[default]
    Square,
    /// Hexagons in a rhombus: each row is shifted by half a place to the right (`1`) or to the left
    /// (`-1`) of the row above it.
    Rhombus(i8),
    /// Hexagons whose neighbours in a row are two columns apart.
    Wide,
    /// Hexagons whose neighbours in a column are two rows apart.
    High,
}

/// The height of a row of hexagons with width 1.
const ROW: f64 = 0.866;

impl Lattice {
    /// Returns `true` if squares have six neighbours.
    pub(crate) fn is_hex(self) -> bool {
        self != Lattice::Square
    }

    /// Returns the centre of a square on a board of the given size, in units of squares.
    pub(crate) fn middle(self, (column, row): (usize, usize), (_, rows): (usize, usize)) -> (f64, f64) {
        let (x, y) = (column as f64, row as f64);
        match self {
            Lattice::Square => (x + 0.5, y + 0.5),
            Lattice::Rhombus(1) => (x + 0.5 + 0.5 * y, ROW * y + 0.58),
            Lattice::Rhombus(_) => (x + 0.5 + 0.5 * (rows as f64 - 1.0 - y), ROW * y + 0.58),
            Lattice::Wide => (0.5 * x + 0.5, ROW * y + 0.58),
            Lattice::High => (ROW * x + 0.58, 0.5 * y + 0.5),
        }
    }

    /// Returns the size of the board, in units of squares.
    pub(crate) fn size(self, (columns, rows): (usize, usize)) -> (f64, f64) {
        let (w, h) = (columns as f64, rows as f64);
        match self {
            Lattice::Square => (w, h),
            Lattice::Rhombus(_) => (w + 0.5 * (h - 1.0), ROW * (h - 1.0) + 1.16),
            Lattice::Wide => (0.5 * (w - 1.0) + 1.0, ROW * (h - 1.0) + 1.16),
            Lattice::High => (ROW * (w - 1.0) + 1.16, 0.5 * (h - 1.0) + 1.0),
        }
    }

    /// Returns the corners of a hexagon along a side of the board.
    pub(crate) fn side(self, side: &str) -> [usize; 3] {
        let leans_right = self == Lattice::Rhombus(1);
        match side {
            "top" => [5, 0, 1],
            "bottom" => [4, 3, 2],
            "left" if leans_right => [5, 4, 3],
            "left" => [0, 5, 4],
            _ if leans_right => [0, 1, 2],
            _ => [1, 2, 3],
        }
    }

    /// Returns the corners of a hexagon relative to its centre, in units of squares.
    pub(crate) fn corners(self) -> [(f64, f64); 6] {
        let pointed =
            [(0.0, -0.577), (0.5, -0.289), (0.5, 0.289), (0.0, 0.577), (-0.5, 0.289), (-0.5, -0.289)];
        match self {
            Lattice::High => pointed.map(|(x, y)| (y, x)),
            _ => pointed,
        }
    }
}

/// A step from one square to another, in columns and rows.
type Step = (i64, i64);

/// Finds the arrangement of a board from a relation over pairs of squares, if it is one of neighbours.
/// Rows are counted from the first one, wherever it is drawn.
pub(crate) fn of_neighbours(grid: &Grid, pairs: &[Vec<String>], first_row_on_top: bool) -> Option<Lattice> {
    let at = |axis: &[String], value: &String| axis.iter().position(|v| v == value).map(|at| at as i64);
    let place = |a: &String, b: &String| {
        let (column, row) = if grid.column < grid.row { (a, b) } else { (b, a) };
        Some((at(&grid.columns, column)?, at(&grid.rows, row)?))
    };
    let mut steps: BTreeSet<Step> = BTreeSet::new();
    let mut squares = BTreeSet::new();
    for pair in pairs {
        let [.., a, b, c, d] = pair.as_slice() else { return None };
        let (from, to) = (place(a, b)?, place(c, d)?);
        let step = (to.0 - from.0, to.1 - from.1);
        steps.extend([step, (-step.0, -step.1)]);
        squares.extend([from, to]);
        if steps.len() > 6 {
            return None;
        }
    }
    if squares.len() < 7 {
        return None;
    }
    let has = |wanted: [Step; 3]| wanted.iter().all(|step| steps.contains(step)) && steps.len() == 6;
    // The row below is the next in the list only if the first row is at the top.
    let down = if first_row_on_top { 1 } else { -1 };
    if has([(1, 0), (0, 1), (1, down)]) {
        Some(Lattice::Rhombus(-1))
    } else if has([(1, 0), (0, 1), (1, -down)]) {
        Some(Lattice::Rhombus(1))
    } else if has([(2, 0), (1, 1), (1, -1)]) {
        Some(Lattice::Wide)
    } else if has([(0, 2), (1, 1), (1, -1)]) {
        Some(Lattice::High)
    } else {
        None
    }
}
