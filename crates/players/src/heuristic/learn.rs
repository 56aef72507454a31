//! Weights of features, learned from playouts before a match.
//!
//! Positions are taken from random matches, each is evaluated by playouts, and the values are fitted to the
//! features by ridge regression on scaled features. In a five-fold cross-validation, features whose weights
//! change sign are dropped, and the explained variance of the rest tells how good the evaluation is.

use game::{Deadline, Fault, Game, MoveId, Playouts, Rng, RoleId, Seed, Start, numbered};

use super::features::{Feature, candidates};

/// The number of positions evaluated at a time, of playouts for each, and of steps of a playout.
const BATCH: usize = 64;
const PLAYOUTS: u32 = 32;
const LONGEST: u32 = 1000;
/// The number of folds for cross-validation.
const FOLDS: usize = 5;
/// The ridge penalty per position.
const RIDGE: f64 = 0.02;
/// The minimum number of positions to learn from.
const FEWEST: usize = 100;

/// A feature with its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighted {
    pub(super) feature: Feature,
    /// Points per unit.
    pub weight: f64,
    /// Points per standard deviation.
    pub effect: f64,
}

impl Weighted {
    /// Returns the name of the feature.
    pub fn name(&self) -> &str {
        &self.feature.name
    }
}

/// The evaluation learned for one role.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The role.
    pub role: RoleId,
    /// The points if all features are 0.
    pub base: f64,
    /// The features with weights, the most important first.
    pub features: Vec<Weighted>,
    /// The number of candidate features.
    pub candidates: usize,
    /// The number of candidates that were dropped because their weights were not stable.
    pub unstable: usize,
    /// The number of positions learned from.
    pub positions: usize,
    /// The fraction of the variance of values that is predicted in held-out positions.
    pub predicted: f64,
}

/// The features and values of positions.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<f64>>,
    values: Vec<f64>,
}

/// Learns for a role until this many positions were evaluated or the deadline passes.
pub fn learn<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    role: RoleId,
    seed: Seed,
    positions: usize,
    deadline: &Deadline,
) -> Result<Learned, Fault> {
    let all = candidates(game);
    let mut found = Learned {
        role,
        base: 50.0,
        features: Vec::new(),
        candidates: all.len(),
        unstable: 0,
        positions: 0,
        predicted: 0.0,
    };
    if all.is_empty() {
        return Ok(found);
    }
    let table = sample(game, scratch, role, seed, positions, deadline, &all)?;
    found.positions = table.values.len();
    if found.positions < FEWEST {
        return Ok(found);
    }
    // Features that never change or that duplicate another are useless.
    let mut kept: Vec<usize> = Vec::new();
    for feature in 0..all.len() {
        let column = |f: usize| table.rows.iter().map(move |row| row[f]);
        let varies = spread(column(feature)) > 1e-9;
        let repeats = |other: &usize| correlation(column(feature), column(*other)).abs() > 0.999;
        if varies && !kept.iter().any(repeats) {
            kept.push(feature);
        }
    }
    let folds: Vec<Option<Fit>> =
        (0..FOLDS).map(|fold| fit(&table, &kept, |row| row % FOLDS != fold)).collect();
    let stable: Vec<usize> = (0..kept.len())
        .filter(|&place| {
            let signs = folds.iter().flatten().map(|fit| fit.effects[place]);
            let (up, down) = (signs.clone().all(|e| e > 0.0), signs.clone().all(|e| e < 0.0));
            up || down
        })
        .map(|place| kept[place])
        .collect();
    found.unstable = kept.len() - stable.len();
    let Some(last) = fit(&table, &stable, |_| true) else { return Ok(found) };
    found.predicted = predicted(&table, &stable);
    found.base = last.base;
    found.features = stable
        .iter()
        .enumerate()
        .map(|(place, &feature)| Weighted {
            feature: all[feature].clone(),
            weight: last.weights[place],
            effect: last.effects[place],
        })
        .collect();
    found.features.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
    Ok(found)
}

/// Returns positions of random matches with their features and values.
fn sample<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    role: RoleId,
    seed: Seed,
    positions: usize,
    deadline: &Deadline,
    features: &[Feature],
) -> Result<Table, Fault> {
    let mut table = Table::default();
    let mut rng: Rng = seed.derive_name("positions").rng();
    let (mut fluents, mut walk) = (Vec::new(), 0u64);
    while table.values.len() < positions && !deadline.is_over() {
        let states = positions_of(game, scratch, seed.derive_name("walks"), walk, &mut rng, deadline)?;
        walk += BATCH as u64;
        let starts: Vec<Start<G::State>> =
            states.into_iter().map(|state| Start { state, first: None, count: PLAYOUTS }).collect();
        if starts.is_empty() {
            break;
        }
        let request = Playouts {
            max_steps: LONGEST,
            first_index: walk << 24,
            deadline: deadline.clone(),
            ..Playouts::new(&starts, seed.derive_name("values"))
        };
        let outcomes = game.playouts(scratch, &request)?;
        for (number, start) in starts.iter().enumerate() {
            let range = number * PLAYOUTS as usize..((number + 1) * PLAYOUTS as usize).min(outcomes.len());
            if range.len() < PLAYOUTS as usize / 2 {
                break;
            }
            let count = range.len() as f64;
            let goal = |playout: usize| f64::from(outcomes.goals_of(playout)[role.index()].clamp(0, 100));
            table.values.push(range.map(goal).sum::<f64>() / count);
            numbered(game)?.fluents(&start.state, &mut fluents)?;
            let mut holds = vec![false; game::fluent_count(game)];
            fluents.iter().for_each(|fluent| holds[fluent.0 as usize] = true);
            let mut measure = |feature: &Feature| feature.measure.of(game, scratch, &start.state, &holds);
            table.rows.push(features.iter().map(&mut measure).collect::<Result<Vec<f64>, Fault>>()?);
        }
    }
    table.rows.truncate(table.values.len());
    Ok(table)
}

/// Returns one position of each of the random matches from number `first` on, chosen uniformly among its
/// steps.
///
/// All matches are played side by side, and then replayed side by side to the chosen positions.
fn positions_of<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    seed: Seed,
    first: u64,
    rng: &mut Rng,
    deadline: &Deadline,
) -> Result<Vec<G::State>, Fault> {
    let initial = [Start { state: game.initial(), first: None, count: BATCH as u32 }];
    let request = Playouts {
        max_steps: LONGEST,
        first_index: first,
        trace: true,
        deadline: deadline.clone(),
        ..Playouts::new(&initial, seed)
    };
    let walks = game.playouts(scratch, &request)?;
    let mut any = |length: u32| (0..length).filter(|&step| rng.below(step as usize + 1) == 0).last();
    let lengths = walks.lengths.iter().enumerate();
    let chosen: Vec<(usize, u32)> =
        lengths.filter_map(|(walk, &length)| Some((walk, any(length)?))).collect();
    let mut states = vec![game.initial(); chosen.len()];
    for step in 0..LONGEST {
        let going: Vec<usize> = (0..chosen.len()).filter(|&place| chosen[place].1 > step).collect();
        if going.is_empty() || deadline.is_over() {
            break;
        }
        let before: Vec<G::State> = going.iter().map(|&place| states[place].clone()).collect();
        let made = step as usize * walks.roles;
        let joint = |&place: &usize| walks.traces[chosen[place].0][made..][..walks.roles].to_vec();
        let joints: Vec<Vec<MoveId>> = going.iter().map(joint).collect();
        for (place, stepped) in going.into_iter().zip(game.steps(scratch, &before, &joints)?) {
            states[place] = stepped.state;
        }
    }
    Ok(states)
}

/// The weights fitted to some positions.
struct Fit {
    base: f64,
    weights: Vec<f64>,
    effects: Vec<f64>,
}

/// Performs ridge regression over the rows for which `wanted` returns `true`.
#[allow(clippy::needless_range_loop, reason = "rows and columns of a matrix are numbers")]
fn fit(table: &Table, features: &[usize], wanted: impl Fn(usize) -> bool) -> Option<Fit> {
    let rows: Vec<usize> = (0..table.values.len()).filter(|row| wanted(*row)).collect();
    let (n, m) = (rows.len() as f64, features.len());
    let means: Vec<f64> =
        features.iter().map(|&f| rows.iter().map(|&row| table.rows[row][f]).sum::<f64>() / n).collect();
    let scales: Vec<f64> = features
        .iter()
        .map(|&f| spread(rows.iter().map(|&row| table.rows[row][f])).sqrt().max(1e-6))
        .collect();
    let mean = rows.iter().map(|&row| table.values[row]).sum::<f64>() / n;
    let (mut matrix, mut right) = (vec![vec![0.0; m]; m], vec![0.0; m]);
    for &row in &rows {
        let scaled: Vec<f64> =
            (0..m).map(|place| (table.rows[row][features[place]] - means[place]) / scales[place]).collect();
        for a in 0..m {
            right[a] += scaled[a] * (table.values[row] - mean);
            for b in 0..=a {
                matrix[a][b] += scaled[a] * scaled[b];
            }
        }
    }
    for a in 0..m {
        for b in 0..a {
            matrix[b][a] = matrix[a][b];
        }
        matrix[a][a] += RIDGE * n;
    }
    let effects = solved(matrix, right)?;
    let weights: Vec<f64> = effects.iter().zip(&scales).map(|(effect, scale)| effect / scale).collect();
    let base = mean - weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum::<f64>();
    Some(Fit { base, weights, effects })
}

/// Returns the fraction of the variance that is predicted in held-out positions.
fn predicted(table: &Table, features: &[usize]) -> f64 {
    let mut wrong = 0.0;
    for fold in 0..FOLDS {
        let Some(fit) = fit(table, features, |row| row % FOLDS != fold) else { return 0.0 };
        for row in (0..table.values.len()).filter(|row| row % FOLDS == fold) {
            let parts = features.iter().zip(&fit.weights).map(|(&f, weight)| weight * table.rows[row][f]);
            wrong += (table.values[row] - fit.base - parts.sum::<f64>()).powi(2);
        }
    }
    let all = spread(table.values.iter().copied()) * table.values.len() as f64;
    if all > 0.0 { 1.0 - wrong / all } else { 0.0 }
}

/// Solves a system of linear equations by Gaussian elimination with partial pivoting.
#[allow(clippy::needless_range_loop, reason = "rows and columns of a matrix are numbers")]
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let m = right.len();
    for column in 0..m {
        let pivot =
            (column..m).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let pivot_row = matrix[column].clone();
        for row in column + 1..m {
            let factor = matrix[row][column] / pivot_row[column];
            if factor != 0.0 {
                (column..m).for_each(|c| matrix[row][c] -= factor * pivot_row[c]);
                right[row] -= factor * right[column];
            }
        }
    }
    let mut solution = vec![0.0; m];
    for row in (0..m).rev() {
        let known: f64 = (row + 1..m).map(|c| matrix[row][c] * solution[c]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}

fn spread(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / count
}

fn correlation(a: impl Iterator<Item = f64> + Clone, b: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = a.clone().count().max(1) as f64;
    let (mean_a, mean_b) = (a.clone().sum::<f64>() / count, b.clone().sum::<f64>() / count);
    let together = a.clone().zip(b.clone()).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum::<f64>() / count;
    together / (spread(a) * spread(b)).sqrt().max(1e-12)
}
