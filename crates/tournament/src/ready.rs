//! A plan with its games loaded, ready to be played.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena::{Journal, Setup, Sitter, StepRecord, Watch, play_on};
use cast::{PlayerError, is_counted, is_informed, seat};
use game::{AnyGame, Game, Role, StopToken};
use library::{Chosen, Library, Loaded, PlayError, SourceError};
use rules::Strictness;

use super::conditions::Refereeing;
use super::engine::Played;
use super::entrants::{check_abilities, check_clocks, check_players, check_wire, thinks_by_clock};
use super::match_spec::MatchSpec;
use super::opening::{Opening, OpeningSpec, check_openings};
use super::pairing::{MOST, Schedule, Seatings, lineups, seatings};
use super::plan::{Budget, Cell, Plan, PlanError, PlanGame, PlanPlayer, Planned, Seeding, Unplayable};
use super::replies::Timed;
use super::spec::{BUDGET, GameSpec, TournamentSpec};
use crate::spec_text::{At, BadSpec, Reading};

/// The clock if every player counts its work: long enough never to matter.
const PATIENCE: Duration = Duration::from_secs(3600);

/// A plan and its games.
pub struct Ready {
    plan: Plan,
    games: Vec<(Chosen, Arc<str>)>,
    /// The games as they are after each of their openings.
    begun: Vec<Vec<AnyGame>>,
    /// The openings as they were asked for.
    openings: Option<OpeningSpec>,
    /// The name of the tournament in the records of its matches.
    tournament: Option<String>,
}

/// Why a game cannot be part of a plan.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// It cannot be found or read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl Ready {
    /// Reads a spec, looks everything up and makes a plan from it. Relative paths of games start at
    /// `folder`. All mistakes are reported, with their lines.
    pub fn read(
        place: &str,
        source: &str,
        name: &str,
        library: &Library,
        folder: &Path,
    ) -> Result<Ready, BadSpec> {
        let spec = TournamentSpec::read(place, source, name)?;
        let reading = Reading::new(place, source);
        let ready = Ready::check(&spec, &reading, &Games::new(library, folder));
        reading.finish(ready)
    }

    /// Makes a plan from a spec. Mistakes are filed as complaints.
    pub fn check(spec: &TournamentSpec, reading: &Reading, library: &Games<'_>) -> Option<Ready> {
        let mut plan = Plan {
            title: spec.title.clone(),
            refereeing: Refereeing {
                replace: spec.replace.clone(),
                max_steps: spec.max_steps as usize,
                grace: spec.grace.map(|seconds| (seconds * 1000.0).round() as u64),
            },
            confidence: spec.confidence,
            ..Plan::new(&spec.name, spec.seed)
        };
        if let Schedule::Sprt { weak, strong, alpha, beta, scale } = spec.schedule.value {
            (plan.sprt, plan.scale) = (Some([weak, strong, alpha, beta]), scale);
        }
        let player = |player: &At<super::spec::PlayerSpec>| PlanPlayer {
            name: player.value.name.clone(),
            player: player.value.player.clone(),
        };
        plan.players = spec.players.iter().map(player).collect();
        plan.budgets = budgets(spec, reading);
        plan.repeatable = !spec.players.iter().any(|player| thinks_by_clock(spec, &player.value));
        let mut games = Vec::new();
        for asked in &spec.games {
            match library.take(&asked.value) {
                Err(error) => reading.complain(&asked.span, error.to_string()),
                Ok((game, chosen)) => {
                    if plan.games.iter().any(|other| other.name == game.name) {
                        let text = format!(
                            "There are two games called `{}`; their matches would be the same and be counted as those of one game.",
                            game.name
                        );
                        reading.complain(&asked.span, text);
                    }
                    check_players(spec, reading, &game, &chosen);
                    plan.games.push(game);
                    games.push((chosen, asked));
                }
            }
        }
        check_clocks(spec, reading);
        check_wire(spec, reading, &plan);
        if plan.budgets.len() != spec.budgets.len() || games.len() != spec.games.len() {
            return None;
        }
        for (number, (_, asked)) in games.iter().enumerate() {
            cells(spec, reading, &mut plan, number, asked);
        }
        if plan.len() > 10_000_000 {
            let text = format!("This plan would have {} matches; the maximum is 10,000,000.", plan.len());
            reading.complain(&spec.matches.span, text);
        }
        for (number, (chosen, _)) in games.iter().enumerate().filter(|_| !reading.is_bad()) {
            check_abilities(spec, reading, &plan, number, chosen);
        }
        let mut begun = Vec::new();
        for (number, (chosen, _)) in games.iter().enumerate().filter(|_| !reading.is_bad()) {
            begun.push(check_openings(spec, reading, &mut plan, number, &chosen.game));
        }
        if reading.is_bad() {
            return None;
        }
        let sheet = |game: &PlanGame| Arc::from(game.sheet.as_str());
        let games =
            games.into_iter().zip(&plan.games).map(|((chosen, _), game)| (chosen, sheet(game))).collect();
        let tournament = Some(plan.name.clone());
        let openings = spec.openings.as_ref().map(|openings| openings.value.clone());
        Some(Ready { plan, games, begun, openings, tournament })
    }

    /// Prepares a plan that was made before.
    pub fn of(plan: Plan) -> Result<Ready, PlanError> {
        let mut games = Vec::new();
        for game in &plan.games {
            let loaded = Loaded::new(game.source(), Strictness::Lenient);
            let chosen = loaded.play(&game.reasoner).map_err(Unplayable::from)?;
            if Role::names(chosen.game.roles()) != game.roles {
                return Err(Unplayable::Roles { game: game.name.clone() }.into());
            }
            games.push((chosen, Arc::from(game.sheet.as_str())));
        }
        for cell in &plan.cells {
            for &player in &cell.seating {
                let spec = plan.player(player, cell.budget);
                let chosen = &games[cell.game].0;
                seat(&chosen.game, &spec).map_err(Unplayable::from)?;
            }
        }
        let mut begun = Vec::new();
        for (game, (chosen, _)) in plan.games.iter().zip(&games) {
            let begin = |(number, opening): (usize, &Opening)| {
                let unplayable = |cause| Unplayable::Opening { game: game.name.clone(), number, cause };
                opening.begin(&chosen.game).map_err(unplayable)
            };
            begun.push(game.openings.iter().enumerate().map(begin).collect::<Result<_, _>>()?);
        }
        let tournament = Some(plan.name.clone());
        Ok(Ready { plan, games, begun, openings: None, tournament })
    }

    /// Prepares repeated matches between the same players: a plan with a cell for each seating. There is
    /// one player for each seat. The game may begin in any state. Nobody else plays these matches, so the
    /// spec is stored instead of the plan.
    pub fn repeated(spec: &MatchSpec, loaded: &Loaded, chosen: Chosen) -> Result<Ready, PlayerError> {
        for player in &spec.players {
            seat(&chosen.game, player)?;
        }
        let lineup: Vec<usize> = (0..spec.players.len()).collect();
        let orders = seatings(&lineup, if spec.rotate { Seatings::Cyclic } else { Seatings::Fixed });
        let (total, ways) = (u64::from(spec.repeat.unwrap_or(1)), orders.len() as u64);
        let cell = |(number, seating): (usize, Vec<usize>)| {
            // Seatings take turns, so the first ones may get one match more.
            let matches = total.saturating_sub(number as u64).div_ceil(ways);
            Cell { game: 0, budget: 0, lineup: 0, seating, matches }
        };
        let budget = Budget {
            name: String::new(),
            value: None,
            preview_clock: spec.conditions.clocks.preview_clock,
            start_clock: spec.conditions.clocks.start_clock,
            play_clock: spec.conditions.clocks.play_clock,
        };
        let player = |player: &String| PlanPlayer { name: player.clone(), player: player.clone() };
        let plan = Plan {
            seeding: Seeding::Number,
            refereeing: spec.conditions.refereeing.clone(),
            repeatable: spec.players.iter().all(|player| is_counted(player).unwrap_or(false)),
            games: vec![PlanGame::of(loaded, &spec.game, &spec.reasoner, &chosen)],
            players: spec.players.iter().map(player).collect(),
            budgets: vec![budget],
            cells: orders.into_iter().enumerate().map(cell).filter(|cell| cell.matches > 0).collect(),
            ..Plan::new(&spec.name(loaded), spec.seed)
        };
        let games = vec![(chosen, Arc::clone(&loaded.source.text))];
        Ok(Ready { plan, games, begun: vec![Vec::new()], openings: None, tournament: None })
    }

    /// Replaces the seed. Random openings are drawn again.
    pub fn with_seed(mut self, seed: u64) -> Ready {
        self.plan.seed = seed;
        if let Some(openings @ OpeningSpec::Random { .. }) = &self.openings {
            for ((game, (chosen, _)), begun) in
                self.plan.games.iter_mut().zip(&self.games).zip(&mut self.begun)
            {
                // As many were found with the seed of the spec; if there are fewer now, those stay.
                if let Ok(drawn) = openings.of(&chosen.game, &game.name, seed) {
                    (game.openings, *begun) = drawn.into_iter().unzip();
                }
            }
        }
        self
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns a game of the plan.
    pub(super) fn game(&self, number: usize) -> &AnyGame {
        &self.games[number].0.game
    }

    /// Returns the rule sheet of a match.
    pub fn sheet(&self, planned: Planned) -> &Arc<str> {
        &self.games[self.plan.cells[planned.cell].game].1
    }

    /// Plays one match, or the rest of it if it was interrupted.
    pub fn play(
        &self,
        planned: Planned,
        past: &[StepRecord],
        journal: &mut dyn Journal,
        stop: &StopToken,
        watch: Watch<'_>,
    ) -> Result<Played, PlanError> {
        let cell = &self.plan.cells[planned.cell];
        let (chosen, sheet) = &self.games[cell.game];
        let game = &self.plan.games[cell.game];
        let (playing, opening_moves) = match planned.opening {
            Some(opening) => (&self.begun[cell.game][opening], game.openings[opening].moves.clone()),
            None => (&chosen.game, Vec::new()),
        };
        let players: Vec<String> = cell.seating.iter().map(|p| self.plan.player(*p, cell.budget)).collect();
        let setup = Setup {
            match_id: Some(format!("{}.{}", self.plan.name, planned.number)),
            rules: Some(Arc::clone(sheet)).filter(|sheet| !sheet.is_empty()),
            tournament: self.tournament.clone(),
            reasoner: chosen.name.to_string(),
            stop: stop.clone(),
            opening_moves,
            ..self.plan.conditions(cell.budget).setup(&game.name, planned.seed, &players)
        };
        let mut players = players.into_iter().peekable();
        let (mut sitters, mut times) = (Vec::new(), Vec::new());
        for role in chosen.game.roles() {
            sitters.push(match players.next_if(|_| !role.is_chance()) {
                None => Sitter::Nature,
                Some(spec) => {
                    let seat = Timed::new(seat(playing, &spec).map_err(Unplayable::from)?);
                    times.push(seat.times());
                    let make = if is_informed(&spec) { Sitter::Informed } else { Sitter::Seat };
                    make(spec, Box::new(seat))
                }
            });
        }
        let record = play_on(playing, sitters, &setup, past, journal, watch);
        Ok(Played { planned, record, replies: times.iter().map(|times| times.replies()).collect() })
    }
}

/// A cache of games, by how they are asked for.
pub struct Games<'a> {
    library: &'a Library,
    folder: &'a Path,
    made: RefCell<BTreeMap<(String, String), (PlanGame, Chosen)>>,
}

impl<'a> Games<'a> {
    /// Creates a cache for this library. Relative paths start at `folder`.
    pub fn new(library: &'a Library, folder: &'a Path) -> Games<'a> {
        Games { library, folder, made: RefCell::default() }
    }

    fn take(&self, asked: &GameSpec) -> Result<(PlanGame, Chosen), GameError> {
        let key = (asked.argument.clone(), asked.reasoner.clone());
        if let Some(found) = self.made.borrow().get(&key) {
            return Ok(found.clone());
        }
        let made = load(asked, self.library, self.folder)?;
        self.made.borrow_mut().insert(key, made.clone());
        Ok(made)
    }
}

fn load(asked: &GameSpec, library: &Library, folder: &Path) -> Result<(PlanGame, Chosen), GameError> {
    let beside = folder.join(&asked.argument);
    let is_path = asked.argument.contains(['/', '\\']) || Path::new(&asked.argument).extension().is_some();
    let argument = match is_path && Path::new(&asked.argument).is_relative() && beside.exists() {
        true => beside.display().to_string(),
        false => asked.argument.clone(),
    };
    let loaded = library.load(&argument, Strictness::Lenient)?;
    let chosen = loaded.play(&asked.reasoner)?;
    Ok((PlanGame::of(&loaded, &asked.argument, &asked.reasoner, &chosen), chosen))
}

/// Returns the budgets with their clocks. Files complaints about budgets that no player uses, and about
/// players that need one.
fn budgets(spec: &TournamentSpec, reading: &Reading) -> Vec<Budget> {
    let counted = spec.players.iter().find(|player| player.value.player.contains(BUDGET));
    let mut budgets: Vec<Budget> = Vec::new();
    for budget in &spec.budgets {
        let (value, span) = (&budget.value, &budget.span);
        let play = value.play_clock.or(spec.play_clock.as_ref().map(|clock| clock.value));
        let start = value.start_clock.or(spec.start_clock.as_ref().map(|clock| clock.value)).or(play);
        if value.value.is_some() && counted.is_none() {
            let text = format!(
                "No player has `{BUDGET}`, so this budget would have no effect. Write, for example, \"mcts(playouts={BUDGET})\"."
            );
            reading.complain(span, text);
        }
        if let (None, Some(player)) = (value.value, counted) {
            let text = format!(
                "`{BUDGET}` stands for a budget, but no number is given. Write, for example, budgets = [100, 1000]."
            );
            reading.complain(&player.span, text);
        }
        if budgets.iter().any(|other| other.name == value.name) {
            reading.complain(span, format!("There are two budgets `{}`.", value.name));
        }
        let ms = |seconds: Option<f64>| {
            seconds.map_or(PATIENCE, Duration::from_secs_f64).as_millis().min(u128::from(u64::MAX)) as u64
        };
        budgets.push(Budget {
            name: value.name.clone(),
            value: value.value,
            preview_clock: None,
            start_clock: ms(start),
            play_clock: ms(play),
        });
    }
    budgets
}

/// Adds the matches of a game to the plan.
fn cells(spec: &TournamentSpec, reading: &Reading, plan: &mut Plan, number: usize, asked: &At<GameSpec>) {
    let game = &plan.games[number];
    let (name, seats) = (game.name.clone(), game.seats().len());
    let players = spec.players.len();
    if seats == 0 {
        reading.complain(&asked.span, format!("{name} has no role for a player."));
        return;
    }
    match &spec.schedule.value {
        Schedule::Lineups(list) => {
            for lineup in list.iter().filter(|lineup| lineup.value.len() != seats) {
                let (given, roles) = (lineup.value.len(), game.roles.join(", "));
                let text =
                    format!("{name} has {seats} seats ({roles}), but the number of players here is {given}.");
                reading.complain(&lineup.span, text);
            }
        }
        Schedule::Sprt { .. } if seats != 2 => {
            let text = format!("A sequential test needs a game for two; {name} has {seats} seats.");
            reading.complain(&asked.span, text);
        }
        Schedule::RoundRobin { self_play: true } if players > 0 => {}
        _ if players < seats => {
            let text = format!("{name} has {seats} seats, but there are only {players} players.");
            reading.complain(&asked.span, text);
        }
        _ => {}
    }
    if reading.is_bad() {
        return;
    }
    let mut taken: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for (meeting, lineup) in lineups(&spec.schedule.value, players, seats).into_iter().enumerate() {
        let orders = seatings(&lineup, spec.seatings.value);
        if let Schedule::Lineups(list) = &spec.schedule.value
            && let Some(before) = orders.iter().find_map(|order| taken.get(order))
        {
            let text = format!(
                "This repeats the players and seats of lineup {}, so the same matches would be counted twice. Remove it, and increase `matches` if you want more.",
                before + 1
            );
            reading.complain(&list[meeting].span, text);
            return;
        }
        taken.extend(orders.iter().map(|order| (order.clone(), meeting)));
        let each = spec.matches.value / orders.len() as u64;
        if each * orders.len() as u64 != spec.matches.value {
            let (n, count) = (spec.matches.value, orders.len() as u64);
            let (less, more) = (n / count * count, (n / count + 1) * count);
            let better = if less > 0 { format!("{less} or {more}") } else { more.to_string() };
            let text = format!(
                "{name} has {count} seatings, and {n} matches cannot be divided equally among them. Take {better}."
            );
            reading.complain(&spec.matches.span, text);
            return;
        }
        for budget in 0..plan.budgets.len() {
            for seating in &orders {
                let seating = seating.clone();
                plan.cells.push(Cell { game: number, budget, lineup: meeting, seating, matches: each });
            }
        }
        if plan.cells.len() > MOST {
            reading.complain(&asked.span, format!("{name} has too many lineups and seatings."));
            return;
        }
    }
}
