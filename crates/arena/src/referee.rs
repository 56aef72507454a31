//! The referee.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::{Explanation, Game, MatchContext, MoveId, PlayoutStream, RoleId, Seat, Seed, Turn};

use crate::chair::{Answer, Chair};
use crate::record::{Ending, Fault, MatchRecord, Reason, Times, VERSION};

/// What a match needs besides game and seats.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The game as it was named.
    pub game: String,
    /// The match's name; made from game and seed where there is none.
    pub match_id: Option<String>,
    /// The rule sheet's text, for players that want it.
    pub rules: Option<std::sync::Arc<str>>,
    /// What answers the questions about the rules.
    pub reasoner: String,
    /// Where all chance of this match comes from.
    pub seed: Seed,
    /// Time before the first move.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// How long after the clock an answer still counts.
    pub grace: Duration,
    /// The match is broken off after this many steps.
    pub max_steps: usize,
}

impl Setup {
    /// Clocks of thirty and fifteen seconds, and ten thousand steps.
    pub fn new(game: &str, seed: Seed) -> Setup {
        Setup {
            game: game.to_string(),
            match_id: None,
            rules: None,
            reasoner: String::new(),
            seed,
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_secs(15),
            grace: Duration::from_secs(1),
            max_steps: 10_000,
        }
    }
}

/// Who plays a role.
pub enum Sitter {
    /// The referee, by chance.
    Nature,
    /// Someone with a name.
    Seat(String, Box<dyn Seat>),
}

/// What a spectator of the whole match sees, as it happens.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A state was reached; its facts.
    State(&'a [String]),
    /// A joint move was made: what it was, what went wrong with whom, and why players chose.
    Step(&'a [String], &'a [Fault], &'a [Reason]),
}

struct Referee<'g, G: Game> {
    game: &'g G,
    roles: Vec<RoleId>,
    nature_plays: Vec<bool>,
    chairs: Vec<Option<Chair>>,
    record: MatchRecord,
    nature: PlayoutStream,
    substitute: PlayoutStream,
    began: Instant,
}

/// Plays one match. Whatever the seats do, it ends with a record.
pub fn play<G: Game>(
    game: &G,
    sitters: Vec<Sitter>,
    setup: &Setup,
    mut watch: impl FnMut(Event<'_>),
) -> MatchRecord {
    let mut names = Vec::new();
    let mut chairs = Vec::new();
    let nature_plays = sitters.iter().map(|sitter| matches!(sitter, Sitter::Nature)).collect();
    for (sitter, role) in sitters.into_iter().zip(game.roles()) {
        match sitter {
            Sitter::Nature => {
                names.push("random".to_string());
                chairs.push(None);
            }
            Sitter::Seat(name, seat) => {
                names.push(name);
                chairs.push(Chair::new(role, seat).ok());
            }
        }
    }
    let mut referee = Referee {
        game,
        roles: RoleId::all(game.roles().len()).collect(),
        nature_plays,
        chairs,
        record: blank(game, names, setup),
        nature: PlayoutStream::new(setup.seed.derive_name("nature"), 0),
        substitute: PlayoutStream::new(setup.seed.derive_name("substitute"), 0),
        began: Instant::now(),
    };
    referee.start(setup);
    let mut turns: Vec<Option<Turn>> = vec![None; referee.roles.len()];
    let ending = referee.steps(setup, &mut turns, &mut watch);
    referee.finish(ending, setup, turns)
}

impl<G: Game> Referee<'_, G> {
    fn start(&mut self, setup: &Setup) {
        let match_id = self.record.match_id.clone();
        for (&role, chair) in self.roles.iter().zip(&mut self.chairs) {
            if let Some(chair) = chair {
                chair.start(MatchContext {
                    match_id: match_id.clone(),
                    role,
                    rules: setup.rules.clone(),
                    start_clock: setup.start_clock,
                    play_clock: setup.play_clock,
                    seed: setup.seed.derive_name("player").derive(u64::from(role.0)),
                });
            }
        }
        let until = self.until(setup.start_clock, setup.grace);
        let answers: Vec<Option<Answer>> =
            self.chairs.iter_mut().map(|chair| chair.as_mut().map(|chair| chair.wait(until))).collect();
        let mut errors = vec![String::new(); self.roles.len()];
        for (index, answer) in answers.into_iter().enumerate() {
            if let Some(answer) = answer
                && let Err((code, text)) = self.judge(answer)
            {
                errors[index] = code.clone();
                self.record.faults.push(Fault {
                    step: 0,
                    role: self.game.roles()[index].clone(),
                    code,
                    text,
                });
            }
        }
        self.record.errors.push(errors);
    }

    fn steps(
        &mut self,
        setup: &Setup,
        turns: &mut [Option<Turn>],
        watch: &mut impl FnMut(Event<'_>),
    ) -> Ending {
        let broken = |fault: game::Fault| Ending::Broken { reason: fault.to_string() };
        let mut state = self.game.initial();
        loop {
            let facts = self.game.facts(&state);
            watch(Event::State(&facts));
            self.record.states.push(format!("({})", facts.join(" ")));
            let elapsed = self.began.elapsed().as_millis() as u64;
            if let Some(times) = &mut self.record.times {
                times.state_times.push(times.start_time + elapsed);
            }
            match self.game.is_terminal(&state) {
                Err(fault) => return broken(fault),
                Ok(true) => {
                    for &role in &self.roles {
                        match self.game.goal(&state, role) {
                            Ok(goal) => self.record.goals.push(goal),
                            Err(fault) => return broken(fault),
                        }
                    }
                    return Ending::Terminal;
                }
                Ok(false) => {}
            }
            let mut legal = vec![Vec::new(); self.roles.len()];
            for (&role, moves) in self.roles.iter().zip(&mut legal) {
                if let Err(fault) = self.game.legal(&state, role, moves) {
                    return broken(fault);
                }
                if moves.is_empty() {
                    return Ending::DeadEnd { role: self.game.roles()[role.index()].clone() };
                }
            }
            if self.record.moves.len() >= setup.max_steps {
                return Ending::StepLimit;
            }
            let faults_before = self.record.faults.len();
            let reasons_before = self.record.explanations.len();
            let joint = self.ask(setup, turns, &legal);
            let texts: Vec<String> =
                self.roles.iter().zip(&joint).map(|(&role, &m)| self.game.move_text(role, m)).collect();
            let (faults, reasons) = (&self.record.faults, &self.record.explanations);
            watch(Event::Step(&texts, &faults[faults_before..], &reasons[reasons_before..]));
            if let Err(fault) = self.tell(&state, &joint, &texts, turns) {
                return broken(fault);
            }
            self.record.moves.push(texts);
            match self.game.next(&state, &joint) {
                Ok(next) => state = next,
                Err(fault) => return broken(fault),
            }
        }
    }

    /// Asks every seat, all at the same time, and puts a random legal move where no legal answer came.
    fn ask(&mut self, setup: &Setup, turns: &mut [Option<Turn>], legal: &[Vec<MoveId>]) -> Vec<MoveId> {
        let step = self.record.moves.len();
        for (chair, turn) in self.chairs.iter_mut().zip(turns) {
            if let Some(chair) = chair {
                chair.ask(turn.take(), setup.play_clock);
            }
        }
        let until = self.until(setup.play_clock, setup.grace);
        let mut joint = Vec::new();
        let mut errors = vec![String::new(); self.roles.len()];
        for (index, moves) in legal.iter().enumerate() {
            let role = self.roles[index];
            let name = &self.game.roles()[index];
            let draw =
                |stream: PlayoutStream| moves[stream.below(step as u32, role.0, moves.len() as u32) as usize];
            if self.nature_plays[index] {
                joint.push(draw(self.nature));
                continue;
            }
            let answer = self.chairs[index].as_mut().map_or(Answer::Gone, |chair| chair.wait(until));
            let chosen = self.judge(answer).and_then(|(text, explanation)| {
                let found = self.game.find_move(role, &text).filter(|m| moves.contains(m));
                let illegal = || (format!("IL {text}"), format!("`{text}` is not a legal move of {name}"));
                Ok((found.ok_or_else(illegal)?, explanation))
            });
            match chosen {
                Ok((chosen, explanation)) => {
                    joint.push(chosen);
                    if !explanation.entries.is_empty() {
                        let reason =
                            Reason { step: step + 1, role: name.clone(), entries: explanation.entries };
                        self.record.explanations.push(reason);
                    }
                }
                Err((code, text)) => {
                    joint.push(draw(self.substitute));
                    errors[index] = code.clone();
                    self.record.faults.push(Fault { step: step + 1, role: name.clone(), code, text });
                }
            }
        }
        self.record.errors.push(errors);
        joint
    }

    /// Prepares what every seat is told of a step.
    fn tell(
        &mut self,
        state: &G::State,
        joint: &[MoveId],
        texts: &[String],
        turns: &mut [Option<Turn>],
    ) -> Result<(), game::Fault> {
        let hidden = self.game.has_percepts();
        let mut seen_by_all = Vec::new();
        let mut percepts = Vec::new();
        for (&role, turn) in self.roles.iter().zip(turns) {
            self.game.percepts(state, joint, role, &mut percepts)?;
            let seen: Vec<String> = percepts.iter().map(|&p| self.game.percept_text(role, p)).collect();
            *turn = Some(Turn {
                own: texts[role.index()].clone(),
                percepts: seen.clone(),
                joint: (!hidden).then(|| texts.to_vec()),
            });
            seen_by_all.push(seen);
        }
        if let Some(percepts) = &mut self.record.percepts {
            percepts.push(seen_by_all);
        }
        Ok(())
    }

    fn finish(mut self, ending: Ending, setup: &Setup, turns: Vec<Option<Turn>>) -> MatchRecord {
        if ending != Ending::Terminal || self.record.goals.len() != self.roles.len() {
            self.record.goals = vec![None; self.roles.len()];
        }
        self.record.is_completed = ending == Ending::Terminal;
        self.record.is_aborted = !self.record.is_completed;
        let goals = self.record.is_completed.then(|| self.record.goals.clone());
        self.record.goal_values = goals.as_ref().and_then(|goals| goals.iter().copied().collect());
        for (chair, turn) in self.chairs.iter_mut().zip(turns) {
            if let Some(chair) = chair {
                chair.stop(turn, goals.clone());
            }
        }
        let until = self.until(setup.play_clock, setup.grace);
        for chair in self.chairs.iter_mut().flatten() {
            chair.wait(until);
        }
        self.record.ending = ending;
        self.record
    }

    fn judge(&self, answer: Answer) -> Result<(String, Explanation), (String, String)> {
        match answer {
            Answer::Done(text, explanation) => Ok((text, explanation)),
            Answer::Failed(fault) => Err(("CE".to_string(), fault.to_string())),
            Answer::Panicked(text) => Err(("CE".to_string(), format!("the player broke down: {text}"))),
            Answer::Late => Err(("TO".to_string(), "no answer in time".to_string())),
            Answer::Gone => Err(("CE".to_string(), "the player is gone".to_string())),
        }
    }

    fn until(&self, clock: Duration, grace: Duration) -> Option<Instant> {
        Instant::now().checked_add(clock)?.checked_add(grace)
    }
}

fn blank<G: Game>(game: &G, names: Vec<String>, setup: &Setup) -> MatchRecord {
    let match_id = setup.match_id.clone().unwrap_or_else(|| format!("tafl.{}.{}", setup.game, setup.seed.0));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
    MatchRecord {
        record_version: VERSION,
        random_token: token(setup.seed.derive_name(&match_id)),
        match_id,
        game: setup.game.clone(),
        game_meta_url: None,
        roles: game.roles().to_vec(),
        player_names_from_host: names,
        seed: setup.seed.0,
        reasoner: setup.reasoner.clone(),
        preview_clock: -1,
        start_clock: setup.start_clock.as_secs(),
        play_clock: setup.play_clock.as_secs(),
        scrambled: false,
        is_completed: false,
        is_aborted: false,
        ending: Ending::StepLimit,
        states: Vec::new(),
        moves: Vec::new(),
        errors: Vec::new(),
        faults: Vec::new(),
        percepts: game.has_percepts().then(Vec::new),
        explanations: Vec::new(),
        goal_values: None,
        goals: Vec::new(),
        times: Some(Times { start_time: now, state_times: Vec::new() }),
    }
}

fn token(seed: Seed) -> String {
    let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut chance = seed.rng();
    (0..32).map(|_| char::from(letters[chance.below(letters.len())])).collect()
}
