//! The referee.
//!
//! It keeps the state, asks all seats at the same time, and journals each finished step before it asks for
//! the next. An interrupted match is played again from its beginning: the seats are asked as before, but the
//! recorded steps stand, whatever the seats answer now. A player whose moves follow from its seed thus
//! arrives at the same thoughts as before.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::{
    AnyGame, AnyScratch, AnyState, Game, Goal, MatchContext, MoveId, PlayoutStream, Position, Role, RoleId,
    Seat, Seed, StopToken, Thought, Turn,
};

use crate::chair::{Answer, Chair, Pending};
use crate::record::{Ending, Fault, MatchRecord, StepRecord, StepThought, Times, VERSION};
use crate::setup::{Event, Journal, JournalError, NoJournal, Replacement, Setup, Sitter, Watch};
use crate::verdict::{Wrong, judge};

/// How long players have to process that a match was aborted.
const ABORT_CLOCK: Duration = Duration::from_secs(1);

/// Plays one match. Whatever the seats do, it ends with a record.
pub fn play(game: &AnyGame, sitters: Vec<Sitter>, setup: &Setup, watch: Watch<'_>) -> MatchRecord {
    play_on(game, sitters, setup, &[], &mut NoJournal, watch)
}

/// Resumes a match after the steps in `past`, which may be empty. Every step is written to the journal before
/// the next one begins.
pub fn play_on(
    game: &AnyGame,
    sitters: Vec<Sitter>,
    setup: &Setup,
    past: &[StepRecord],
    journal: &mut dyn Journal,
    watch: Watch<'_>,
) -> MatchRecord {
    let record = blank(game, &sitters, setup);
    let places = sitters.into_iter().zip(game.roles());
    let places = places.map(|(sitter, role)| match sitter {
        Sitter::Nature => Place { nature: true, chair: None, timed: true, informed: false },
        Sitter::Seat(_, seat) => Place::taken(role, seat),
        Sitter::Person(_, seat) => Place { timed: false, ..Place::taken(role, seat) },
        Sitter::Informed(_, seat) => Place { informed: true, ..Place::taken(role, seat) },
    });
    let mut referee = Referee {
        game,
        scratch: game.scratch(),
        setup,
        past,
        journal,
        roles: RoleId::all(game.roles().len()).collect(),
        places: places.collect(),
        record,
        nature: PlayoutStream::new(setup.seed.derive_name("nature"), 0),
        substitute: PlayoutStream::new(setup.seed.derive_name("substitute"), 0),
    };
    let mut turns: Vec<Option<Turn>> = vec![None; referee.roles.len()];
    let ending = referee.run(&mut turns, watch).unwrap_or_else(|ending| ending);
    referee.finish(ending, turns)
}

/// One role's place at the table.
struct Place {
    nature: bool,
    chair: Option<Chair>,
    /// Whether clocks apply.
    timed: bool,
    /// Whether all moves are shown, including those that the rules hide.
    informed: bool,
}

impl Place {
    fn taken(role: &str, seat: Box<dyn Seat>) -> Place {
        Place { nature: false, chair: Chair::new(role, seat).ok(), timed: true, informed: false }
    }
}

struct Referee<'g> {
    game: &'g AnyGame,
    /// The memory of the game for the whole match.
    scratch: AnyScratch,
    setup: &'g Setup,
    past: &'g [StepRecord],
    journal: &'g mut dyn Journal,
    roles: Vec<RoleId>,
    places: Vec<Place>,
    record: MatchRecord,
    nature: PlayoutStream,
    substitute: PlayoutStream,
}

fn broken(fault: game::Fault) -> Ending {
    Ending::Broken { reason: fault.to_string() }
}

/// The current position of the match.
struct Here {
    state: AnyState,
    facts: Vec<String>,
    /// The legal moves, by role.
    legal: Vec<Vec<MoveId>>,
    /// All goal values, by role, if the match is over.
    goals: Option<Vec<Vec<Goal>>>,
}

/// The answers of the seats in one step: for each role an answer or what is wrong with it, and the time it
/// took.
struct Round {
    answers: Vec<Result<(String, Thought<String>), Wrong>>,
    took: Vec<u64>,
    /// Whether the match was interrupted while a seat was thinking.
    abandoned: bool,
}

impl Referee<'_> {
    fn run(&mut self, turns: &mut [Option<Turn>], mut watch: Watch<'_>) -> Result<Ending, Ending> {
        if self.past.is_empty() {
            self.journal.open(&self.record).map_err(unwritten)?;
        }
        let state = self.game.initial();
        let facts = self.game.facts(&state);
        let start = self.start(&facts)?;
        self.keep(start)?;
        let mut here = self.look(state, facts)?;
        if let Some(watch) = &mut watch {
            watch(Event::Start { position: &self.position(&here) });
        }
        loop {
            if let Some(goals) = here.goals {
                self.goals(goals);
                return Ok(Ending::Terminal);
            }
            if let Some(role) = self.roles.iter().find(|role| here.legal[role.index()].is_empty()) {
                return Ok(Ending::DeadEnd { role: self.name(*role).to_string() });
            }
            if self.record.moves.len() >= self.setup.max_steps {
                return Ok(Ending::StepLimit);
            }
            if self.setup.stop.is_stopped() {
                return Ok(told_to_stop());
            }
            let round = self.ask(turns);
            if round.abandoned {
                return Ok(told_to_stop());
            }
            let number = self.record.states.len();
            let past = self.past.get(number);
            let (joint, mut step) = match past {
                Some(step) => (self.replay(step, &here.legal)?, step.clone()),
                None => self.decide(number, round, &here.legal)?,
            };
            let wanted = watch.is_some();
            let percepts = self.tell(&here.state, &joint, &step.moves, turns, wanted).map_err(broken)?;
            let state = self.game.next(&mut self.scratch, &here.state, &joint).map_err(broken)?;
            let facts = self.game.facts(&state);
            if past.is_none() {
                step.percepts = self.game.has_percepts().then(|| percepts.clone());
                step.state = text(&facts);
                step.time = now();
            }
            let told = wanted.then(|| step.clone());
            self.keep(step)?;
            here = self.look(state, facts)?;
            if let (Some(watch), Some(step)) = (&mut watch, &told) {
                watch(Event::Step { step, percepts: &percepts, position: &self.position(&here) });
            }
        }
    }

    /// Queries everything about a state, once for all uses.
    fn look(&mut self, state: AnyState, facts: Vec<String>) -> Result<Here, Ending> {
        let mut here = Here { state, facts, legal: vec![Vec::new(); self.roles.len()], goals: None };
        if self.game.is_terminal(&mut self.scratch, &here.state).map_err(broken)? {
            let values = |role: &RoleId| self.game.goal_values(&mut self.scratch, &here.state, *role);
            here.goals = Some(self.roles.iter().map(values).collect::<Result<_, _>>().map_err(broken)?);
            return Ok(here);
        }
        for (&role, moves) in self.roles.iter().zip(&mut here.legal) {
            self.game.legal(&mut self.scratch, &here.state, role, moves).map_err(broken)?;
        }
        Ok(here)
    }

    /// Returns the position as text, for spectators.
    fn position(&self, here: &Here) -> Position {
        let texts = |(role, moves): (&RoleId, &Vec<MoveId>)| {
            moves.iter().map(|mv| self.game.move_text(*role, *mv)).collect()
        };
        Position {
            facts: here.facts.clone(),
            terminal: here.goals.is_some(),
            goals: here.goals.iter().flatten().map(|values| single(values)).collect(),
            legal: self.roles.iter().zip(&here.legal).map(texts).collect(),
        }
    }

    /// Tells every seat that a match begins, and waits until all are ready.
    fn start(&mut self, facts: &[String]) -> Result<StepRecord, Ending> {
        let mut faults = Vec::new();
        let mut errors = vec![String::new(); self.roles.len()];
        if let Some(clock) = self.setup.preview_clock {
            let round = self.round(clock, &self.setup.stop, |role, chair, clock| {
                chair.preview(self.context(role), clock)
            });
            if round.abandoned {
                return Err(told_to_stop());
            }
            self.wrongs(0, &round, &mut errors, &mut faults);
        }
        let clock = self.setup.start_clock;
        let round =
            self.round(clock, &self.setup.stop, |role, chair, clock| chair.start(self.context(role), clock));
        if round.abandoned {
            return Err(told_to_stop());
        }
        self.wrongs(0, &round, &mut errors, &mut faults);
        Ok(StepRecord {
            moves: Vec::new(),
            state: text(facts),
            errors,
            faults,
            percepts: None,
            thoughts: Vec::new(),
            time: now(),
            thinking: round.took,
        })
    }

    /// Returns what a role is told about the match.
    fn context(&self, role: RoleId) -> MatchContext {
        let setup = self.setup;
        MatchContext {
            match_id: self.record.match_id.clone(),
            role,
            rules: setup.rules.clone(),
            start_clock: setup.start_clock,
            play_clock: setup.play_clock,
            seed: setup.seed.derive_name("player").derive(u64::from(role.0)),
        }
    }

    /// Asks every seat for a move, all at the same time.
    fn ask(&mut self, turns: &mut [Option<Turn>]) -> Round {
        self.round(self.setup.play_clock, &self.setup.stop, |role, chair, clock| {
            chair.ask(turns[role.index()].take(), clock)
        })
    }

    /// Sends a request to every seat, then waits for all answers, or until `stop` is set.
    fn round(
        &self,
        clock: Duration,
        stop: &StopToken,
        mut send: impl FnMut(RoleId, &Chair, Option<Duration>) -> Pending,
    ) -> Round {
        let mut pending = Vec::new();
        for (&role, place) in self.roles.iter().zip(&self.places) {
            let chair = place.chair.as_ref();
            pending.push(chair.map(|chair| send(role, chair, place.timed.then_some(clock))));
        }
        let until = Instant::now().checked_add(clock).and_then(|at| at.checked_add(self.setup.grace));
        let mut round = Round { answers: Vec::new(), took: Vec::new(), abandoned: false };
        for (place, pending) in self.places.iter().zip(pending) {
            let (answer, took) = match pending {
                Some(pending) => {
                    let until = until.filter(|_| place.timed);
                    let reply = pending.wait(until, stop);
                    round.abandoned |= reply.is_none();
                    let (answer, took) = reply.unwrap_or((Answer::Late, Duration::ZERO));
                    (judge(answer), took)
                }
                None if place.nature => (Ok(Default::default()), Duration::ZERO),
                None => (Err(Wrong::gone()), Duration::ZERO),
            };
            round.answers.push(answer);
            round.took.push(took.as_millis() as u64);
        }
        round
    }

    fn wrongs(&self, step: usize, round: &Round, errors: &mut [String], faults: &mut Vec<Fault>) {
        for (index, answer) in round.answers.iter().enumerate() {
            if let Err(wrong) = answer {
                errors[index].clone_from(&wrong.code);
                faults.push(wrong.fault(step, &self.game.roles()[index]));
            }
        }
    }

    /// Returns the joint move that results from the answers, and its record.
    fn decide(
        &self,
        number: usize,
        round: Round,
        legal: &[Vec<MoveId>],
    ) -> Result<(Vec<MoveId>, StepRecord), Ending> {
        let mut joint = Vec::new();
        let mut errors = vec![String::new(); self.roles.len()];
        let (mut faults, mut thoughts) = (Vec::new(), Vec::new());
        for ((index, moves), answer) in legal.iter().enumerate().zip(round.answers) {
            let role = self.roles[index];
            let draw = |stream: PlayoutStream| {
                moves[stream.below(number as u32 - 1, role.0, moves.len() as u32) as usize]
            };
            if self.places[index].nature {
                joint.push(draw(self.nature));
                continue;
            }
            let chosen = answer.and_then(|(text, thought)| {
                let found = self.game.find_move(role, &text).filter(|m| moves.contains(m));
                Ok((found.ok_or_else(|| Wrong::illegal(&text, self.name(role)))?, thought))
            });
            match chosen {
                Ok((chosen, thought)) => {
                    joint.push(chosen);
                    if !thought.is_empty() {
                        let role = self.name(role).to_string();
                        thoughts.push(StepThought { step: number, role, thought });
                    }
                }
                Err(wrong) => {
                    errors[index].clone_from(&wrong.code);
                    faults.push(wrong.fault(number, self.name(role)));
                    joint.push(match self.setup.replacement {
                        Replacement::Random | Replacement::Forfeit => draw(self.substitute),
                        Replacement::First => moves[0],
                    });
                }
            }
        }
        if self.setup.replacement == Replacement::Forfeit
            && let Some(fault) = faults.first()
        {
            let (role, reason) = (fault.role.clone(), fault.text.clone());
            return Err(Ending::Forfeit { role, reason });
        }
        let moves = self.roles.iter().zip(&joint).map(|(&role, &m)| self.game.move_text(role, m)).collect();
        let step = StepRecord {
            moves,
            state: String::new(),
            errors,
            faults,
            percepts: None,
            thoughts,
            time: 0,
            thinking: round.took,
        };
        Ok((joint, step))
    }

    /// Returns the joint move of a recorded step.
    fn replay(&self, step: &StepRecord, legal: &[Vec<MoveId>]) -> Result<Vec<MoveId>, Ending> {
        let found = self.roles.iter().zip(&step.moves).zip(legal).map(|((&role, text), moves)| {
            self.game.find_move(role, text).filter(|found| moves.contains(found))
        });
        let joint: Option<Vec<MoveId>> = found.collect();
        joint.filter(|joint| joint.len() == self.roles.len()).ok_or_else(|| Ending::Broken {
            reason: "the steps played so far are not legal under the rules".to_string(),
        })
    }

    /// Prepares what every seat is told about a step. Returns what all of them saw, if the rules hide
    /// something or a spectator is watching.
    fn tell(
        &mut self,
        state: &AnyState,
        joint: &[MoveId],
        texts: &[String],
        turns: &mut [Option<Turn>],
        wanted: bool,
    ) -> Result<Vec<Vec<String>>, game::Fault> {
        let hidden = self.game.has_percepts();
        let mut seen_by_all = Vec::new();
        let mut percepts = Vec::new();
        for (&role, turn) in self.roles.iter().zip(turns) {
            let mut seen = Vec::new();
            if hidden || wanted {
                self.game.percepts(&mut self.scratch, state, joint, role, &mut percepts)?;
                seen = percepts.iter().map(|&percept| self.game.percept_text(role, percept)).collect();
            }
            *turn = Some(Turn {
                own: texts[role.index()].clone(),
                percepts: if hidden { seen.clone() } else { Vec::new() },
                joint: (!hidden || self.places[role.index()].informed).then(|| texts.to_vec()),
            });
            seen_by_all.push(seen);
        }
        Ok(seen_by_all)
    }

    /// Adds a finished step to the record and the journal, unless it is already there.
    fn keep(&mut self, step: StepRecord) -> Result<(), Ending> {
        let number = self.record.states.len();
        let step = match self.past.get(number) {
            Some(past) => past.clone(),
            None => {
                self.journal.step(number, &step).map_err(unwritten)?;
                step
            }
        };
        self.record.push(step);
        Ok(())
    }

    fn goals(&mut self, all: Vec<Vec<Goal>>) {
        self.record.goals = all.iter().map(|values| single(values)).collect();
        self.record.goal_values = self.record.goals.iter().copied().collect();
        self.record.all_goals = self.record.goal_values.is_none().then_some(all);
    }

    fn finish(mut self, ending: Ending, mut turns: Vec<Option<Turn>>) -> MatchRecord {
        let completed = ending == Ending::Terminal;
        let open = matches!(ending, Ending::Interrupted { .. });
        if !completed {
            self.record.goals = vec![None; self.roles.len()];
        }
        (self.record.is_completed, self.record.is_aborted) = (completed, !completed && !open);
        self.record.ending = ending;
        let goals = completed.then(|| self.record.goals.clone());
        let clock = if completed { self.setup.play_clock } else { ABORT_CLOCK };
        // People are only notified too, so clocks apply to them here.
        self.places.iter_mut().for_each(|place| place.timed = true);
        // Even seats that were told to stop are told how the match ended.
        let never = StopToken::default();
        self.round(clock, &never, |role, chair, _| {
            chair.stop(turns[role.index()].take(), goals.clone(), clock)
        });
        if !open && let Err(error) = self.journal.close(&self.record) {
            self.record.ending = unwritten(error);
        }
        self.record
    }

    fn name(&self, role: RoleId) -> &str {
        &self.game.roles()[role.index()]
    }
}

/// Returns the only value, if there is exactly one.
fn single(values: &[Goal]) -> Option<Goal> {
    if let [value] = values[..] { Some(value) } else { None }
}

fn text(facts: &[String]) -> String {
    format!("({})", facts.join(" "))
}

/// What a match ends with that cannot be written down. Records hold the reason as text.
fn unwritten(error: JournalError) -> Ending {
    Ending::Interrupted { reason: error.to_string() }
}

fn told_to_stop() -> Ending {
    Ending::Interrupted { reason: "it was stopped".to_string() }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

fn blank(game: &AnyGame, sitters: &[Sitter], setup: &Setup) -> MatchRecord {
    let match_id = setup.match_id.clone().unwrap_or_else(|| format!("tafl.{}.{}", setup.game, setup.seed.0));
    let people: Vec<bool> = sitters.iter().map(|sitter| matches!(sitter, Sitter::Person(..))).collect();
    let (start, play) = (setup.start_clock.as_millis() as u64, setup.play_clock.as_millis() as u64);
    let names = sitters.iter().map(|sitter| match sitter {
        Sitter::Nature => Role::chance().to_string(),
        Sitter::Seat(name, _) | Sitter::Person(name, _) | Sitter::Informed(name, _) => name.clone(),
    });
    MatchRecord {
        record_version: VERSION,
        random_token: token(setup.seed.derive_name(&match_id)),
        match_id,
        game: setup.game.clone(),
        game_meta_url: setup.game_meta_url.clone(),
        tournament_name_from_host: setup.tournament.clone(),
        roles: game.roles().iter().map(String::from).collect(),
        player_names_from_host: names.collect(),
        is_player_human: people.contains(&true).then_some(people),
        seed: setup.seed.0,
        reasoner: setup.reasoner.clone(),
        replacement: setup.replacement.name().to_string(),
        preview_clock: setup.preview_clock.map_or(-1, |clock| clock.as_secs() as i64),
        start_clock: start.div_ceil(1000),
        play_clock: play.div_ceil(1000),
        clocks_ms: (start % 1000 + play % 1000 > 0).then_some((start, play)),
        grace_ms: sitters.iter().any(Sitter::is_remote).then_some(setup.grace.as_millis() as u64),
        scrambled: setup.scrambled,
        is_completed: false,
        is_aborted: false,
        ending: Ending::Open,
        opening_moves: setup.opening_moves.clone(),
        states: Vec::new(),
        moves: Vec::new(),
        errors: Vec::new(),
        faults: Vec::new(),
        percepts: game.has_percepts().then(Vec::new),
        thoughts: Vec::new(),
        goal_values: None,
        goals: Vec::new(),
        all_goals: None,
        rule_sheet: None,
        times: Some(Times { start_time: now(), ..Times::default() }),
    }
}

fn token(seed: Seed) -> String {
    let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut chance = seed.rng();
    (0..32).map(|_| char::from(letters[chance.below(letters.len())])).collect()
}
