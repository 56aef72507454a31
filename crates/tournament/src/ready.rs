//! A plan whose games are loaded: what matches are played from.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena::{Journal, MatchRecord, Replacement, Setup, Sitter, StepRecord, play_on};
use cast::{is_informed, remote_address, seat};
use game::{AnyGame, Game, Role, StopToken};
use library::{Chosen, Library, Loaded};
use rules::Strictness;

use super::entrants::{check_abilities, check_clocks, check_players, thinks_by_clock};
use super::pairing::{MOST, Schedule, lineups, seatings};
use super::plan::{Budget, Cell, Plan, PlanError, PlanGame, PlanPlayer, Planned};
use super::spec::{BUDGET, GameSpec, TournamentSpec};
use crate::spec_text::{At, BadSpec, Reading};

/// The clock where everyone counts: long enough never to matter.
const PATIENCE: Duration = Duration::from_secs(3600);

/// A plan and its games.
pub struct Ready {
    plan: Plan,
    games: Vec<(Chosen, Arc<str>)>,
}

impl Ready {
    /// Reads a spec, looks everything up and makes a plan of it. Relative paths of
    /// games begin in `folder`. All that is wrong is told, with its line.
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

    /// Makes a plan of a spec; what is wrong is filed as complaints.
    pub fn check(spec: &TournamentSpec, reading: &Reading, library: &Games<'_>) -> Option<Ready> {
        let mut plan = Plan {
            title: spec.title.clone(),
            replace: spec.replace.clone(),
            max_steps: spec.max_steps as usize,
            confidence: spec.confidence,
            ..Plan::new(&spec.name, spec.seed)
        };
        if let Schedule::Sprt { weak, strong, alpha, beta } = spec.schedule.value {
            plan.sprt = Some([weak, strong, alpha, beta]);
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
                Err(text) => reading.complain(&asked.span, text),
                Ok((game, chosen)) => {
                    if plan.games.iter().any(|other| other.name == game.name) {
                        let text = format!(
                            "There are two games called `{}`; the same matches would be played and counted as one game's.",
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
        if plan.budgets.len() != spec.budgets.len() || games.len() != spec.games.len() {
            return None;
        }
        for (number, (_, asked)) in games.iter().enumerate() {
            cells(spec, reading, &mut plan, number, asked);
        }
        if plan.len() > 10_000_000 {
            let text = format!("These would be {} matches; more than 10,000,000 are refused.", plan.len());
            reading.complain(&spec.matches.span, text);
        }
        for (number, (chosen, _)) in games.iter().enumerate().filter(|_| !reading.is_bad()) {
            check_abilities(spec, reading, &plan, number, chosen);
        }
        if reading.is_bad() {
            return None;
        }
        let sheet = |game: &PlanGame| Arc::from(game.sheet.as_str());
        let games =
            games.into_iter().zip(&plan.games).map(|((chosen, _), game)| (chosen, sheet(game))).collect();
        Some(Ready { plan, games })
    }

    /// A plan that was made before.
    pub fn of(plan: Plan) -> Result<Ready, PlanError> {
        let mut games = Vec::new();
        for game in &plan.games {
            let loaded = Loaded::new(game.source(), Strictness::Lenient);
            let chosen = loaded.play(&game.reasoner).map_err(|e| PlanError::Unplayable(e.to_string()))?;
            if Role::names(chosen.game.roles()) != game.roles {
                let text = format!("the roles of {} are not those of the plan.", game.name);
                return Err(PlanError::Unplayable(text));
            }
            games.push((chosen, Arc::from(game.sheet.as_str())));
        }
        for cell in &plan.cells {
            for &player in &cell.seating {
                let spec = plan.player(player, cell.budget);
                let chosen = &games[cell.game].0;
                seat(&chosen.game, &spec).map_err(|e| PlanError::Unplayable(e.to_string()))?;
            }
        }
        Ok(Ready { plan, games })
    }

    /// The same with another seed.
    pub fn with_seed(mut self, seed: u64) -> Ready {
        self.plan.seed = seed;
        self
    }

    /// What is to be played.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// One of the games of the plan.
    pub(super) fn game(&self, number: usize) -> &AnyGame {
        &self.games[number].0.game
    }

    /// The rule sheet that a match is played by.
    pub fn sheet(&self, planned: Planned) -> &Arc<str> {
        &self.games[self.plan.cells[planned.cell].game].1
    }

    /// Plays one match, from where it was interrupted if it was.
    pub fn play(
        &self,
        planned: Planned,
        past: &[StepRecord],
        journal: &mut dyn Journal,
        stop: &StopToken,
    ) -> Result<MatchRecord, PlanError> {
        let cell = &self.plan.cells[planned.cell];
        let (chosen, sheet) = &self.games[cell.game];
        let game = &self.plan.games[cell.game];
        let budget = &self.plan.budgets[cell.budget];
        let players: Vec<String> = cell.seating.iter().map(|p| self.plan.player(*p, cell.budget)).collect();
        let remote = |spec: &String| remote_address(spec).ok().flatten();
        let setup = Setup {
            match_id: Some(format!("{}.{}", self.plan.name, planned.number)),
            rules: Some(Arc::clone(sheet)).filter(|sheet| !sheet.is_empty()),
            tournament: Some(self.plan.name.clone()),
            reasoner: chosen.name.to_string(),
            start_clock: Duration::from_millis(budget.start_clock),
            play_clock: Duration::from_millis(budget.play_clock),
            replacement: Replacement::named(&self.plan.replace).unwrap_or_default(),
            scrambled: players.iter().filter_map(remote).any(|address| address.scrambled),
            max_steps: self.plan.max_steps,
            stop: stop.clone(),
            ..Setup::new(&game.name, planned.seed)
        };
        let mut players = players.into_iter().peekable();
        let mut sitters = Vec::new();
        for role in chosen.game.roles() {
            sitters.push(match players.next_if(|_| !role.is_chance()) {
                None => Sitter::Nature,
                Some(spec) => {
                    let seat = seat(&chosen.game, &spec);
                    let seat = seat.map_err(|error| PlanError::Unplayable(error.to_string()))?;
                    let make = if is_informed(&spec) { Sitter::Informed } else { Sitter::Seat };
                    make(spec, seat)
                }
            });
        }
        Ok(play_on(&chosen.game, sitters, &setup, past, journal, None))
    }
}

/// Games by how they are asked for, each made only once.
pub struct Games<'a> {
    library: &'a Library,
    folder: &'a Path,
    made: RefCell<BTreeMap<(String, String), (PlanGame, Chosen)>>,
}

impl<'a> Games<'a> {
    /// Of this library; paths begin at the folder.
    pub fn new(library: &'a Library, folder: &'a Path) -> Games<'a> {
        Games { library, folder, made: RefCell::default() }
    }

    fn take(&self, asked: &GameSpec) -> Result<(PlanGame, Chosen), String> {
        let key = (asked.argument.clone(), asked.reasoner.clone());
        if let Some(found) = self.made.borrow().get(&key) {
            return Ok(found.clone());
        }
        let made = load(asked, self.library, self.folder)?;
        self.made.borrow_mut().insert(key, made.clone());
        Ok(made)
    }
}

fn load(asked: &GameSpec, library: &Library, folder: &Path) -> Result<(PlanGame, Chosen), String> {
    let beside = folder.join(&asked.argument);
    let is_path = asked.argument.contains(['/', '\\']) || Path::new(&asked.argument).extension().is_some();
    let argument = match is_path && Path::new(&asked.argument).is_relative() && beside.exists() {
        true => beside.display().to_string(),
        false => asked.argument.clone(),
    };
    let loaded = library.load(&argument, Strictness::Lenient).map_err(|error| error.to_string())?;
    let chosen = loaded.play(&asked.reasoner).map_err(|error| error.to_string())?;
    let source = &loaded.source;
    let game = PlanGame {
        name: source.name.clone(),
        argument: asked.argument.clone(),
        reasoner: asked.reasoner.clone(),
        roles: Role::names(chosen.game.roles()),
        syntax: source.language.name().to_string(),
        sheet: source.text.to_string(),
        files: source.files.as_ref().clone(),
    };
    Ok((game, chosen))
}

/// Budgets with their clocks; complaints where they fit nobody or somebody needs what they lack.
fn budgets(spec: &TournamentSpec, reading: &Reading) -> Vec<Budget> {
    let counted = spec.players.iter().find(|player| player.value.player.contains(BUDGET));
    let mut budgets: Vec<Budget> = Vec::new();
    for budget in &spec.budgets {
        let (value, span) = (&budget.value, &budget.span);
        let play = value.play_clock.or(spec.play_clock.as_ref().map(|clock| clock.value));
        let start = value.start_clock.or(spec.start_clock.as_ref().map(|clock| clock.value)).or(play);
        if value.value.is_some() && counted.is_none() {
            let text = format!(
                "No player has `{BUDGET}`, so this budget would change nothing. Write for example \"mcts(playouts={BUDGET})\"."
            );
            reading.complain(span, text);
        }
        if let (None, Some(player)) = (value.value, counted) {
            let text = format!(
                "`{BUDGET}` stands for a budget, and no number is given. Write for example budgets = [100, 1000]."
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
                let text = format!("{name} has {seats} seats ({roles}), and here are {given} players.");
                reading.complain(&lineup.span, text);
            }
        }
        Schedule::Sprt { .. } if seats != 2 => {
            let text = format!("A sequential test needs a game for two; {name} has {seats} seats.");
            reading.complain(&asked.span, text);
        }
        Schedule::RoundRobin { self_play: true } if players > 0 => {}
        _ if players < seats => {
            let text = format!("{name} has {seats} seats, and there are only {players} players.");
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
                "These are the players and seats of lineup {} again, and the same matches would be counted twice. Leave it out, and give more `matches` if you want more.",
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
                "In {name} there are {count} ways to sit, and {n} matches cannot be shared equally among them. Take {better}."
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
            reading.complain(&asked.span, format!("In {name} there are too many ways to sit and meet."));
            return;
        }
    }
}
