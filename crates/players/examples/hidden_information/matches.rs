//! Matches in which everybody sees what the rules show, and tables of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Game, Goal, MatchContext, MoveId, Observation, Player, RoleId, Seed, Spec};
use lab::{Library, Loaded};
use players::belief::{HyperPlay, HyperPlayTwo, Nested, Settings, Visited};
use reasoner::{CircuitGame, GroundLimits};
use statistics::{Confidence, Mean};

/// A game of the library.
pub fn circuit(name: &str) -> Arc<CircuitGame> {
    let loaded = Loaded::new(Library::embedded().find(name).unwrap(), Default::default());
    Arc::new(CircuitGame::new(loaded.rules.unwrap(), GroundLimits::default()).unwrap())
}

/// What a player is told before a match.
pub fn context(role: usize, seed: Seed) -> MatchContext {
    let clock = Duration::from_secs(1);
    let match_id = "experiment".to_string();
    MatchContext {
        match_id,
        role: RoleId(role as u32),
        rules: None,
        start_clock: clock,
        play_clock: clock,
        seed,
    }
}

/// A player whose visits are counted where it is one of the papers'.
pub enum Seat {
    Plain(HyperPlay<CircuitGame>),
    Nested(HyperPlayTwo<CircuitGame>),
    Other(Box<dyn Player<CircuitGame>>),
}

impl Seat {
    pub fn new(text: &str) -> Seat {
        let spec = Spec::parse(text).unwrap();
        match spec.name.as_str() {
            "hyperplay" => Seat::Plain(HyperPlay::new(Settings::read(&spec).unwrap())),
            "hyperplay2" => Seat::Nested(HyperPlayTwo::new(Nested::read(&spec).unwrap())),
            _ => Seat::Other(cast::player(text).unwrap()),
        }
    }

    pub fn player(&mut self) -> &mut dyn Player<CircuitGame> {
        match self {
            Seat::Plain(player) => player,
            Seat::Nested(player) => player,
            Seat::Other(player) => &mut **player,
        }
    }

    pub fn visited(&self) -> Visited {
        match self {
            Seat::Plain(player) => player.visited(),
            Seat::Nested(player) => player.visited(),
            Seat::Other(_) => Visited::default(),
        }
    }
}

/// One match; empty specs move at random. Gives the goals and the states the role visited.
pub fn play(
    game: &Arc<CircuitGame>,
    specs: &[String],
    role: usize,
    seed: Seed,
) -> Result<(Vec<Goal>, u64), Fault> {
    let mut chance = seed.derive_name("nature").rng();
    let never = Deadline::never();
    let mut seats: Vec<Option<Seat>> =
        specs.iter().map(|spec| (!spec.is_empty()).then(|| Seat::new(spec))).collect();
    for (role, seat) in seats.iter_mut().enumerate() {
        if let Some(seat) = seat {
            seat.player().start(game, &context(role, seed.derive(role as u64)), &never)?;
        }
    }
    let (mut state, mut moves, mut states) = (game.initial(), Vec::new(), 0);
    loop {
        let mut joint: Vec<MoveId> = Vec::new();
        for (at, seat) in RoleId::all(seats.len()).zip(seats.iter_mut()) {
            game.legal(&state, at, &mut moves)?;
            joint.push(match seat {
                Some(seat) => seat.player().select(&never)?,
                None => moves[chance.below(moves.len())],
            });
            if let Some(seat) = seat.as_ref().filter(|_| at.index() == role) {
                states += seat.visited().playouts + seat.visited().sampling;
            }
        }
        let next = game.next(&state, &joint)?;
        if game.is_terminal(&next)? {
            let goal = |role| Ok(game.goal(&next, role)?.unwrap_or(0));
            let goals = RoleId::all(seats.len()).map(goal).collect::<Result<Vec<Goal>, Fault>>()?;
            return Ok((goals, states));
        }
        for (role, seat) in RoleId::all(seats.len()).zip(seats.iter_mut()) {
            if let Some(seat) = seat {
                let mut percepts = Vec::new();
                game.percepts(&state, &joint, role, &mut percepts)?;
                let shown = lab::is_informed(&specs[role.index()]).then(|| joint.clone());
                seat.player().update(&Observation { own: joint[role.index()], percepts, joint: shown })?;
            }
        }
        state = next;
    }
}

/// The mean and the half of its 95 % interval.
pub fn mean(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let mean = Mean::of(values);
    let half = mean.interval(Confidence::P95).map_or(0.0, |interval| interval.half_width());
    (mean.value().unwrap_or(0.0), half)
}

/// Matches of one kind, seen from one role.
#[derive(Clone)]
pub struct Row {
    pub game: String,
    pub specs: Vec<String>,
    pub role: usize,
}

impl Row {
    pub fn new(game: &str, specs: &[&str], role: usize) -> Row {
        Row { game: game.to_string(), specs: specs.iter().map(|spec| (*spec).to_string()).collect(), role }
    }

    /// A player against another in both roles; chance is the third where there is one.
    pub fn both(game: &str, player: &str, other: &str) -> Vec<Row> {
        vec![Row::second(game, player, other, 0), Row::second(game, player, other, 1)]
    }

    /// A player in one role against another.
    pub fn second(game: &str, player: &str, other: &str, role: usize) -> Row {
        let roles = circuit(game).roles().len();
        let mut specs = vec![String::new(); roles];
        specs[role] = player.to_string();
        if !other.is_empty() {
            specs[1 - role] = other.to_string();
        }
        Row { game: game.to_string(), specs, role }
    }
}

/// The mean goals of rows, one line each.
pub fn table(rows: &[Row], games: u64, seed: u64) {
    println!("game,players,role,games,seed,score,interval,states a game,seconds");
    for row in rows {
        let game = circuit(&row.game);
        let began = Instant::now();
        let (mut scores, mut states) = (Vec::new(), 0);
        for number in 0..games {
            let (goals, visited) = play(&game, &row.specs, row.role, Seed(seed).derive(number)).unwrap();
            scores.push(f64::from(goals[row.role]));
            states += visited;
        }
        let (score, interval) = mean(scores);
        let seconds = began.elapsed().as_secs_f64();
        let (name, specs, role) = (&row.game, row.specs.join(" ").trim_end().to_string(), row.role);
        let states = states / games.max(1);
        println!("{name},\"{specs}\",{role},{games},{seed},{score:.2},{interval:.2},{states},{seconds:.1}");
    }
}
