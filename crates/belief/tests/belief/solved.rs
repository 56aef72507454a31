//! Exact values: what is known of small games must come out.

use std::sync::Arc;

use analysis::{ExploitOptions, exploit};
use belief::{
    Average, Cfr, Form, FormLimits, NOTHING, Optimum, OptimumLimits, Pomcp, Regrets, Rounds, Search,
};
use game::{AnyGame, Deadline, Game, MoveId, Observation, Player, RoleId, Seed};
use reasoner::CircuitGame;

use crate::fog::{circuit, context, mean, play};

fn form(name: &str) -> Form {
    let game = circuit(name);
    let limits = FormLimits { histories: 200_000, deadline: Deadline::never() };
    Form::build(&*game, &mut game.scratch(), &game.initial(), &limits, |_| ()).unwrap()
}

fn solved(form: &Form, gap: f64) -> Average {
    let average = Regrets::new(form).solve(gap, 100_000, &Deadline::never(), |_, _| ());
    assert!(average.gap() <= gap, "{} after {} rounds", average.gap(), average.rounds);
    average
}

#[test]
fn kuhn_poker_costs_the_first_player_a_chip_in_eighteen_games() {
    let form = form("kuhn_poker");
    assert_eq!((form.constant_sum, form.choices(0), form.choices(1)), (Some(100.0), 6, 6));
    // A chip is 25 points: exploitability below a thousandth of a chip is a gap of 0.05 points.
    let average = solved(&form, 0.01);
    let chips = (average.values[0] - 50.0) / 25.0;
    assert!((chips + 1.0 / 18.0).abs() < 0.001, "{chips}");
}

#[test]
fn leduc_poker_costs_the_first_player_0_0856_chips() {
    let form = form("leduc_poker");
    // A chip is 3 points: exploitability below a thousandth of a chip is a gap of 0.006 points.
    let average = solved(&form, 0.006);
    let chips = (average.values[0] - 50.0) / 3.0;
    assert!((chips + 0.0856).abs() < 0.001, "{chips}");
}

#[test]
fn the_arming_spy_hides_and_gets_40() {
    let game = circuit("spy_vs_spy");
    let form = form("spy_vs_spy");
    assert_eq!(form.constant_sum, None);
    let average = solved(&form, 0.001);
    assert!((average.values[0] - 40.0).abs() < 0.01, "{:?}", average.values);
    let first = form.views[0].find(NOTHING, &[]).unwrap();
    for color in ["red", "blue"] {
        let mv = game.find_move(RoleId(0), &format!("(arm {color} hide)")).unwrap();
        let share = average.mixes[0][form.views[0].sequence(first, mv).unwrap() as usize];
        assert!((share - 0.5).abs() < 0.01, "{color}: {share}");
    }
}

#[test]
fn even_play_is_worth_what_random_matches_score() {
    for name in ["kuhn_poker", "leduc_poker", "go_fish", "signals", "hidden_connect_3x3"] {
        let (game, form) = (circuit(name), form(name));
        let mixes: Vec<Vec<f64>> = (0..form.seats.len()).map(|seat| form.uniform(seat)).collect();
        let plans = form.plans(&mixes);
        let starts = [game::Start { state: game.initial(), first: None, count: 20_000 }];
        let request = game::Playouts::new(&starts, Seed(3));
        let outcomes = game.playouts(&mut game.scratch(), &request).unwrap();
        for (seat, role) in form.seats.iter().enumerate() {
            let goals = (0..outcomes.len()).map(|at| f64::from(outcomes.goals_of(at)[role.index()]));
            let (score, error) = mean(&goals.collect::<Vec<f64>>());
            let value = form.value(seat, &plans);
            assert!((value - score).abs() < 4.0 * error + 1e-9, "{name}: {value}, {score} ± {error}");
            assert!(form.best_response(seat, &plans).0 >= value - 1e-9);
        }
    }
}

#[test]
fn a_way_to_an_information_set_leads_there() {
    let form = form("leduc_poker");
    let views = &form.views[1];
    for set in 0..views.sets().len() as u32 {
        let mut at = views.find(NOTHING, &[]).unwrap();
        for (before, mv, percepts) in views.path(set) {
            assert_eq!(at, before);
            at = views.find(views.sequence(at, mv).unwrap(), percepts).unwrap();
        }
        assert_eq!(at, set);
    }
}

fn optimum(name: &str) -> f64 {
    let game = circuit(name);
    let limits = OptimumLimits { beliefs: 2_000_000, work: u64::MAX, deadline: Deadline::never() };
    let mut optimum = Optimum::new(&game, limits).unwrap();
    let belief = optimum.belief(&game.initial()).unwrap().unwrap();
    let best = optimum.best(&belief).unwrap();
    assert!(!optimum.has_loops());
    best.value
}

#[test]
fn best_play_against_chance_is_found() {
    for (name, value) in [
        ("exploding_bomb", 90.0),
        ("monty_hall_3", 200.0 / 3.0),
        ("monty_hall_4", 75.0),
        ("monty_hall_5", 80.0),
        ("number_guessing_4", 100.0),
        ("number_guessing_8", 100.0),
        ("number_guessing_16", 100.0),
        ("mastermind_2c3p3g", 100.0),
        // 83.33 with exact thirds; goals are whole numbers, and two thirds are 67.
        ("mastermind_2c3p3g_count", 83.5),
        ("mastermind_3c4p4g", 100.0),
    ] {
        let found = optimum(name);
        assert!((found - value).abs() < 1e-6, "{name}: {found}");
    }
    // The same by visiting every history.
    for name in ["exploding_bomb", "monty_hall_4", "mastermind_2c3p3g_count"] {
        let form = form(name);
        let even = form.plans(&[form.uniform(0)]);
        assert!((form.best_response(0, &even).0 - optimum(name)).abs() < 1e-6, "{name}");
    }
}

#[test]
fn number_guessing_is_played_to_the_optimum() {
    for name in ["number_guessing_4", "number_guessing_8", "number_guessing_16"] {
        let game = circuit(name);
        for seed in 0..10 {
            let mut player = Pomcp::new(Search::default());
            assert_eq!(play(&game, &mut [Some(&mut player), None], Seed(seed))[0], 100, "{name}");
        }
    }
}

/// Scores of matches with so many descents for a move, without a search before the match, and what the
/// first choice was worth to the player.
fn searched(name: &str, playouts: u64, histories: usize, matches: u64) -> (Vec<f64>, f64) {
    let game = circuit(name);
    let (mut goals, mut worth) = (Vec::new(), 0.0);
    for seed in 0..matches {
        let search = Search { playouts: Some(playouts), exact: 0, histories, ..Search::default() };
        let mut player = Pomcp::new(search);
        goals.push(f64::from(play(&game, &mut [Some(&mut player), None], Seed(seed))[0]));
        let mut player = Pomcp::new(search);
        player.start(&game, &context(0, Seed(seed)), &Deadline::never()).unwrap();
        let noop = game.find_move(RoleId(0), "noop").unwrap();
        player.update(&Observation { own: noop, percepts: Vec::new(), joint: None }).unwrap();
        player.select(&Deadline::never()).unwrap();
        let best = player.scores().iter().map(|score| score.value).fold(0.0, f64::max);
        worth += best / matches as f64;
    }
    (goals, worth)
}

#[test]
fn trials_of_beliefs_come_to_the_optimum() {
    for (name, few, many) in [
        ("number_guessing_4", 200, 1_000),
        ("number_guessing_8", 2_000, 10_000),
        ("number_guessing_16", 10_000, 50_000),
    ] {
        let (_, less) = searched(name, few, 1_000, 6);
        let (goals, worth) = searched(name, many, 1_000, 20);
        assert!(goals.iter().all(|goal| *goal == 100.0), "{name}: {goals:?}");
        assert!(worth > 99.9 && less < worth, "{name}: {less}, then {worth}");
    }
}

#[test]
fn descents_in_the_tree_approach_the_optimum() {
    let (goals, worth) = searched("number_guessing_4", 4_000, 0, 20);
    assert!(goals.iter().all(|goal| *goal == 100.0) && worth > 95.0, "{worth}: {goals:?}");
    // The mean of all that was tried would never say more than a third of this.
    let (goals, _) = searched("number_guessing_8", 20_000, 0, 8);
    assert!(mean(&goals).0 > 75.0, "{goals:?}");
}

#[test]
fn what_pays_at_once_is_still_found() {
    for (name, playouts, histories, least) in [
        ("exploding_bomb", 400, 0, 90.0),
        ("exploding_bomb", 400, 1_000, 90.0),
        ("mastermind_2c3p3g", 2_000, 0, 99.0),
        ("mastermind_2c3p3g", 2_000, 1_000, 99.0),
        // Descents alone find less where there are so many moves: about two thirds.
        ("mastermind_3c4p4g", 4_000, 0, 55.0),
        ("mastermind_3c4p4g", 4_000, 1_000, 80.0),
    ] {
        let (goals, _) = searched(name, playouts, histories, 10);
        assert!(mean(&goals).0 >= least, "{name}, {histories}: {goals:?}");
    }
}

#[test]
fn a_strategy_that_was_worked_out_beats_random_play_in_poker() {
    let game = circuit("leduc_poker");
    let mut player = Cfr::new(Rounds { rounds: 200, ..Rounds::default() });
    let score = |player: &mut Cfr, first: bool| {
        let goals = (0..10).map(|seed| {
            let mut seats: [Option<&mut dyn Player<_>>; 3] = [None, None, None];
            seats[usize::from(!first)] = Some(player);
            f64::from(play(&game, &mut seats, Seed(seed))[usize::from(!first)])
        });
        goals.sum::<f64>()
    };
    let sum = score(&mut player, true) + score(&mut player, false);
    assert!(sum > 20.0 * 50.0, "{sum}");
}

fn any(game: &Arc<CircuitGame>) -> AnyGame {
    AnyGame::new(Arc::clone(game))
}

#[test]
fn players_that_mix_by_regret_are_hard_to_exploit() {
    let game = circuit("kuhn_poker");
    let form = form("kuhn_poker");
    let options = ExploitOptions { answers: 64, clock: None, seed: Seed(1), deadline: Deadline::never() };
    let of = |spec: &str| exploit(&any(&game), &form, spec, &options, &mut |_, _| ()).unwrap().exploitability;
    let (random, cfr) = (of("random"), of("cfr"));
    assert!(random.is_exact() && cfr.is_exact() && cfr.value() < 0.01, "{random:?}, {cfr:?}");
    let (few, many) = (of("oos(playouts=100)"), of("oos(playouts=4000)"));
    assert!(many.value() < few.value(), "oos: {few:?}, then {many:?}");
    assert!(many.interval().high < random.value(), "oos: {many:?}, random: {random:?}");
    let plain = of("hyperplay(16,16)");
    assert!(plain.interval().low > many.interval().high, "hyperplay: {plain:?}, oos: {many:?}");
}

#[test]
fn a_player_can_be_asked_in_every_information_set() {
    let game = circuit("hidden_connect_3x3");
    let form = form("hidden_connect_3x3");
    let options = ExploitOptions { answers: 1, clock: None, seed: Seed(1), deadline: Deadline::never() };
    let random = exploit(&any(&game), &form, "random", &options, &mut |_, _| ()).unwrap();
    let gains = form.gains(&form.plans(&[form.uniform(0), form.uniform(1)]));
    let wanted = gains.iter().sum::<f64>() / 2.0;
    assert!((random.exploitability.value() - wanted).abs() < 1e-9, "{random:?}, {wanted}");
    let legal = exploit(&any(&game), &form, "legal", &options, &mut |_, _| ()).unwrap();
    // What always makes the first legal move is easily beaten.
    assert!(legal.exploitability.is_exact() && legal.exploitability.value() > 49.0, "{legal:?}");
    let moves: Vec<MoveId> = form.views[0].sets()[0].moves.clone();
    assert_eq!(moves.len(), 3);
}
