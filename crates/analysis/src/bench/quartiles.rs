//! Quartiles: the middle of some measurements, and their spread.

use serde::Serialize;

/// The median and the quartiles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quartiles {
    /// The lower quartile.
    pub lower: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub upper: f64,
}

impl Quartiles {
    /// Computes the quartiles of some values, with linear interpolation. Returns `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Quartiles> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |part: f64| {
            let place = part * last as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        Some(Quartiles { lower: at(0.25), median: at(0.5), upper: at(0.75) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_values() {
        let of = Quartiles::of(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((of.lower, of.median, of.upper), (1.75, 2.5, 3.25));
        assert_eq!(Quartiles::of(&[7.0]).unwrap().median, 7.0);
        assert_eq!(Quartiles::of(&[]), None);
    }
}
