//! Published and derived figures, in few games; experiments of the repository make longer runs.

use belief::{HyperPlay, HyperPlayTwo, Nested, Pomcp, Remedy, Score, Search, Settings, Weights};
use game::{Deadline, Game, MoveId, Observation, Player, RoleId, Seed, Spec};

use crate::fog::{circuit, context, mean, play};

fn hyperplay<G: Game>(spec: &str) -> HyperPlay<G> {
    HyperPlay::new(Settings::read(&Spec::parse(spec).unwrap()).unwrap())
}

fn hyperplay_two<G: Game>(spec: &str) -> HyperPlayTwo<G> {
    HyperPlayTwo::new(Nested::read(&Spec::parse(spec).unwrap()).unwrap())
}

/// What HyperPlay with `n` models scores with `doors` doors: it switches if the models in which the
/// other door has the car weigh more, and each model is one of those with probability one half.
fn monty_hall(doors: f64, n: u32) -> f64 {
    let mut chance = 0.5f64.powi(n as i32);
    let mut score = 0.0;
    for b in 0..=n {
        let (switch, keep) = (f64::from(b) * (doors - 1.0), f64::from(n - b));
        let share = if switch == keep { 0.5 } else { f64::from(u8::from(switch > keep)) };
        score += chance * (share * (doors - 1.0) + (1.0 - share)) / doors * 100.0;
        chance *= f64::from(n - b) / f64::from(b + 1);
    }
    score
}

#[test]
fn monty_hall_scores_follow_the_closed_form() {
    for (doors, limit) in [(3.0, 66.7), (4.0, 75.0), (5.0, 80.0)] {
        assert!((monty_hall(doors, 128) - limit).abs() < 0.1);
        assert!((monty_hall(doors, 1) - 50.0).abs() < 1e-9);
    }
    for doors in [3, 4, 5] {
        let game = circuit(&format!("monty_hall_{doors}"));
        for n in [1, 4, 16, 64] {
            let score = |spec: &str| {
                let games = 0..800;
                let goals = games.map(|seed| {
                    let mut player = hyperplay(spec);
                    f64::from(play(&game, &mut [Some(&mut player), None], Seed(seed))[0])
                });
                mean(&goals.collect::<Vec<f64>>())
            };
            let (weighted, _) = score(&format!("hyperplay({n},1)"));
            let expected = monty_hall(f64::from(doors), n);
            let error = (expected * (100.0 - expected) / 800.0).sqrt();
            assert!((weighted - expected).abs() < 3.0 * error, "{doors} doors, {n}: {weighted} {expected}");
            if n == 16 {
                let (even, error) = score("hyperplay(16,1,weights=even)");
                assert!((even - 50.0).abs() < 3.0 * error, "{doors} doors, unweighted: {even}");
            }
        }
    }
}

#[test]
fn sampled_weights_are_the_published_ones_where_models_are_made_equally_often() {
    let game = circuit("monty_hall_4");
    let find = |text: &str| game.find_move(RoleId(0), text).unwrap();
    let closed = game.find_percept(RoleId(0), "(closed 2)").unwrap();
    let mut player = hyperplay("hyperplay(64,1,weights=sampled)");
    player.start(&game, &context(0, Seed(1)), &Deadline::never()).unwrap();
    for (own, percepts) in [("(choose 1)", vec![]), ("noop", vec![closed])] {
        player.update(&Observation { own: find(own), percepts, joint: None }).unwrap();
    }
    player.select(&Deadline::never()).unwrap();
    let weights = |weights| player.bag().unwrap().weights(weights, Remedy::Base);
    let (sampled, published) = (weights(Weights::Sampled), weights(Weights::Choice));
    assert!(sampled.iter().zip(&published).all(|(a, b)| (a - b).abs() < 1e-9), "{sampled:?} {published:?}");
    assert!(sampled.iter().any(|weight| (weight - sampled[0]).abs() > 1e-3));
}

/// A row of values, one for each choice that was made.
fn values(rows: &[Vec<Score>], mv: MoveId) -> (f64, f64) {
    mean(&rows.iter().filter_map(|row| Some(row.iter().find(|s| s.mv == mv)?.value)).collect::<Vec<f64>>())
}

fn near(name: &str, (found, error): (f64, f64), published: f64, interval: f64) {
    // The published interval is one of 99 %: 2.58 standard errors of its own.
    let allowed = 3.0 * (error.powi(2) + (interval / 2.576).powi(2)).sqrt() + 1e-6;
    assert!((found - published).abs() <= allowed, "{name}: {found} ± {error}, published {published}");
}

#[test]
fn the_exploding_bomb_is_valued_as_in_table_5() {
    let game = circuit("exploding_bomb");
    let find = |text: &str| game.find_move(RoleId(0), text).unwrap();
    let told =
        |own: &str, percepts: Vec<game::PerceptId>| Observation { own: find(own), percepts, joint: None };
    let red = game.find_percept(RoleId(0), "red").unwrap();
    let never = Deadline::never();
    let (mut rows, mut later, mut nested, mut nested_later) = (vec![], vec![], vec![], vec![]);
    let mut asked = 0;
    for seed in 0..150 {
        let mut player = hyperplay("hyperplay(32,16)");
        player.start(&game, &context(0, Seed(seed)), &never).unwrap();
        player.update(&told("noop", vec![])).unwrap();
        player.select(&never).unwrap();
        rows.push(player.scores().to_vec());
        player.update(&told("wait", vec![])).unwrap();
        player.select(&never).unwrap();
        later.push(player.scores().to_vec());
        let mut player = hyperplay_two("hyperplay2(4,4,4,4)");
        player.start(&game, &context(0, Seed(seed)), &never).unwrap();
        player.update(&told("noop", vec![])).unwrap();
        asked += usize::from(player.select(&never).unwrap() == find("ask"));
        nested.push(player.scores().to_vec());
        player.update(&told("ask", vec![red])).unwrap();
        assert_eq!(player.select(&never).unwrap(), find("(cut red)"));
        nested_later.push(player.scores().to_vec());
    }
    assert!(asked >= 148, "asked {asked} times in 150");
    near("ask", values(&rows, find("ask")), 45.04, 0.09);
    near("wait", values(&rows, find("wait")), 49.98, 0.10);
    near("cut", values(&later, find("(cut red)")), 50.0, 1.19);
    near("cut", values(&later, find("(cut blue)")), 50.0, 1.19);
    near("ask, nested", values(&nested, find("ask")), 90.0, 0.0);
    near("wait, nested", values(&nested, find("wait")), 49.91, 0.64);
    near("cut armed, nested", values(&nested_later, find("(cut red)")), 90.0, 0.0);
    near("cut unarmed, nested", values(&nested_later, find("(cut blue)")), 0.0, 0.0);
}

#[test]
fn the_arming_spy_values_its_moves_as_in_table_6() {
    let game = circuit("spy_vs_spy");
    let find = |text: &str| game.find_move(RoleId(0), text).unwrap();
    let (mut plain, mut nested) = (vec![], vec![]);
    for seed in 0..150 {
        let mut player = hyperplay("hyperplay(16,16)");
        player.start(&game, &context(0, Seed(seed)), &Deadline::never()).unwrap();
        player.select(&Deadline::never()).unwrap();
        plain.push(player.scores().to_vec());
        let mut player = hyperplay_two("hyperplay2(4,4,4,4)");
        player.start(&game, &context(0, Seed(seed)), &Deadline::never()).unwrap();
        player.select(&Deadline::never()).unwrap();
        nested.push(player.scores().to_vec());
    }
    for (text, one, interval, two, interval_two) in [
        ("(arm blue tell)", 60.00, 0.15, 20.00, 0.00),
        ("(arm red tell)", 60.04, 0.14, 20.00, 0.00),
        ("(arm blue hide)", 39.98, 0.16, 40.36, 1.22),
        ("(arm red hide)", 39.99, 0.14, 39.45, 1.33),
    ] {
        near(text, values(&plain, find(text)), one, interval);
        near(text, values(&nested, find(text)), two, interval_two);
    }
}

#[test]
fn information_is_bought_and_kept_only_by_the_nested_player() {
    let score = |name: &str, spec: &str, two: bool, games: u64| {
        let game = circuit(name);
        let roles = game.roles().len();
        let goals = (0..games).map(|seed| {
            let (mut plain, mut nested) = (hyperplay("hyperplay(32,32)"), hyperplay_two(spec));
            let mut thief = hyperplay("hyperplay(64,1)");
            let first: &mut dyn Player<_> = if two { &mut nested } else { &mut plain };
            let mut seats = [Some(first), Some(&mut thief as &mut dyn Player<_>), None];
            let goals = if roles == 3 {
                play(&game, &mut seats, Seed(seed))
            } else {
                let [first, ..] = seats;
                play(&game, &mut [first, None], Seed(seed))
            };
            f64::from(goals[0])
        });
        mean(&goals.collect::<Vec<f64>>())
    };
    let both = |name, spec| (score(name, spec, false, 40), score(name, spec, true, 40));
    let (plain, nested) = both("number_guessing_4", "hyperplay2(8,4,4,2)");
    assert!(plain.0 < 60.0 && nested.0 > 85.0, "number guessing: {plain:?} {nested:?}");
    let (plain, nested) = both("banker_split_2", "hyperplay2(4,4,16,1)");
    assert!(plain.0 < 10.0 && nested.0 > 25.0, "banker and thief: {plain:?} {nested:?}");
}

#[test]
fn pomcp_asks_before_it_cuts() {
    let game = circuit("exploding_bomb");
    for seed in 0..40 {
        let mut player =
            Pomcp::new(Search { playouts: Some(400), models: 64, exact: 0, ..Search::default() });
        assert_eq!(play(&game, &mut [Some(&mut player), None], Seed(seed))[0], 90);
    }
}

#[test]
fn pomcp_switches_doors() {
    let game = circuit("monty_hall_3");
    let find = |text: &str| game.find_move(RoleId(0), text).unwrap();
    let closed = game.find_percept(RoleId(0), "(closed 2)").unwrap();
    for seed in 0..10 {
        let mut player =
            Pomcp::new(Search { playouts: Some(400), models: 16, exact: 0, ..Search::default() });
        player.start(&game, &context(0, Seed(seed)), &Deadline::never()).unwrap();
        for (own, percepts) in [("(choose 1)", vec![]), ("noop", vec![closed])] {
            player.update(&Observation { own: find(own), percepts, joint: None }).unwrap();
        }
        assert_eq!(player.select(&Deadline::never()).unwrap(), find("switch"));
    }
}
