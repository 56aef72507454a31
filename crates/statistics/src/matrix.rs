//! The linear algebra needed for ratings.

/// A symmetric matrix, stored by rows.
#[derive(Debug, Clone)]
pub(crate) struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn zero(size: usize) -> Symmetric {
        Symmetric { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Computes the inverse by Cholesky decomposition, or returns `None` if the matrix is not
    /// positive definite.
    pub(crate) fn inverse(&self) -> Option<Symmetric> {
        let n = self.size;
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
                let rest = self.cells[i * n + j] - dot;
                lower[i * n + j] = if i != j {
                    rest / lower[j * n + j]
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        let mut inverse = Symmetric::zero(n);
        for column in 0..n {
            let mut x = vec![0.0; n];
            for i in 0..n {
                let dot: f64 = (0..i).map(|k| lower[i * n + k] * x[k]).sum();
                x[i] = (f64::from(u8::from(i == column)) - dot) / lower[i * n + i];
            }
            for i in (0..n).rev() {
                let dot: f64 = (i + 1..n).map(|k| lower[k * n + i] * x[k]).sum();
                x[i] = (x[i] - dot) / lower[i * n + i];
            }
            for (row, value) in x.into_iter().enumerate() {
                inverse.cells[row * n + column] = value;
            }
        }
        Some(inverse)
    }

    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.cells
            .chunks(self.size.max(1))
            .map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
            .collect()
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }
}
