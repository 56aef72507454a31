//! Statistical inference about results.
//!
//! This crate consists of pure functions over counts and numbers: confidence intervals for
//! proportions, scores and means, significance tests and corrections for multiple testing, trends,
//! power analysis, ratings that also estimate the advantage of roles, and sequential tests.
//! Nothing here plays, reads or prints.

mod bounded;
mod distribution;
mod histogram;
mod interval;
mod likeliest;
mod matrix;
mod mean;
mod power;
mod proportion;
mod rating;
mod root;
mod rounds;
mod sprt;
mod test;
mod trend;

pub use bounded::bounded_mean_test;
pub use histogram::Histogram;
pub use interval::{Confidence, Interval};
pub use mean::{Mean, bootstrap};
pub use power::{Detectable, detectable_difference, power_of_proportion, sample_for_proportion};
pub use proportion::Proportion;
pub use rating::{Estimate, Game, RatingError, Ratings, elo, rate};
pub use rounds::Rounds;
pub use sprt::{Scale, Sprt, Verdict};
pub use test::{
    Significance, binomial_test, equal_outcomes_test, fisher_exact, goodness_of_fit, homogeneity, mean_test,
    permutation_test, two_proportions,
};
pub use test::{bonferroni, holm, holm_level};
pub use trend::{
    Points, Trend, difference_of_shares, least_difference, score_test, trend_of_means, trend_of_shares,
};
