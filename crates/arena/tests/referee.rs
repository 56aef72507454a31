//! Matches with players of every kind, good and bad.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena::{
    Ending, Event, Journal, JournalError, MatchRecord, Replacement, Setup, Sitter, StepRecord, play, play_on,
};
use game::{
    AnyGame, Deadline, Fault, Game, Goal, MatchContext, MoveId, PerceptId, Role, RoleId, Seat, Seed, Thought,
    Turn,
};

/// Two roles add 1, 2 or 3 to a sum; whoever's step passes ten ends it.
/// `trouble` makes the game itself misbehave once the sum has reached five.
struct Sum {
    roles: Vec<Role>,
    trouble: Trouble,
}

#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    None,
    DeadEnd,
    NoGoal,
    Fault,
    Endless,
}

fn sum(roles: [&str; 2], trouble: Trouble) -> AnyGame {
    AnyGame::new(Arc::new(Sum { roles: roles.map(Role::named).to_vec(), trouble }))
}

impl Game for Sum {
    type State = u32;
    type Scratch = ();

    fn scratch(&self) {}

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn initial(&self) -> u32 {
        0
    }

    fn is_terminal(&self, _: &mut (), state: &u32) -> Result<bool, Fault> {
        Ok(*state > 10 && self.trouble != Trouble::Endless)
    }

    fn legal(&self, _: &mut (), state: &u32, role: RoleId, moves: &mut Vec<MoveId>) -> Result<(), Fault> {
        moves.clear();
        if !(self.trouble == Trouble::DeadEnd && *state >= 5 && role.0 == 1) {
            moves.extend([1, 2, 3].map(MoveId));
        }
        Ok(())
    }

    fn next(&self, _: &mut (), state: &u32, joint: &[MoveId]) -> Result<u32, Fault> {
        if self.trouble == Trouble::Fault && *state >= 5 {
            return Err(Fault::Budget("the rules run away".to_string()));
        }
        Ok(state + joint.iter().map(|m| m.0).sum::<u32>())
    }

    fn goal(&self, _: &mut (), _: &u32, role: RoleId) -> Result<Option<Goal>, Fault> {
        Ok((self.trouble != Trouble::NoGoal || role.0 == 0).then_some(50))
    }

    fn goal_values(&self, scratch: &mut (), state: &u32, role: RoleId) -> Result<Vec<Goal>, Fault> {
        let several = self.trouble == Trouble::NoGoal && role.0 == 1;
        Ok(if several { vec![0, 100] } else { self.goal(scratch, state, role)?.into_iter().collect() })
    }

    fn percepts(
        &self,
        _: &mut (),
        _: &u32,
        joint: &[MoveId],
        _: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        percepts.clear();
        percepts.extend(joint.iter().map(|m| PerceptId(m.0)));
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        false
    }

    fn move_text(&self, _: RoleId, mv: MoveId) -> String {
        format!("(add {})", mv.0)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        (1..=9).map(MoveId).find(|&m| self.move_text(role, m) == text)
    }

    fn percept_text(&self, _: RoleId, percept: PerceptId) -> String {
        format!("(added {})", percept.0)
    }

    fn find_percept(&self, _: RoleId, _: &str) -> Option<PerceptId> {
        None
    }

    fn facts(&self, state: &u32) -> Vec<String> {
        vec![format!("(sum {state})")]
    }

    fn state(&self, _: &[String]) -> Result<u32, Fault> {
        Ok(0)
    }
}

/// What a seat does when it is asked for its second move; it always adds 1 otherwise.
#[derive(Clone, Copy, PartialEq)]
enum Habit {
    Good,
    Illegal,
    Nonsense,
    Faulty,
    Panicking,
    Late,
    Flooding,
}

struct Doll {
    habit: Habit,
    asked: usize,
    learned: Arc<Mutex<Vec<String>>>,
}

impl Doll {
    fn sit(habit: Habit) -> Sitter {
        Doll::watched(habit, Arc::default())
    }

    fn watched(habit: Habit, learned: Arc<Mutex<Vec<String>>>) -> Sitter {
        Sitter::Seat("doll".to_string(), Box::new(Doll { habit, asked: 0, learned }))
    }
}

impl Seat for Doll {
    fn start(&mut self, _: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        Ok(())
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        if let Some(turn) = last {
            self.learned.lock().unwrap().push(turn.own.clone());
        }
        self.asked += 1;
        if self.asked == 2 {
            match self.habit {
                Habit::Good => {}
                Habit::Illegal => return Ok("(add 9)".to_string()),
                Habit::Nonsense => return Ok("((((".to_string()),
                Habit::Faulty => return Err(Fault::Unsupported("cannot".to_string())),
                // Without the hook, which writes a backtrace for longer than a busy machine has time.
                Habit::Panicking => std::panic::resume_unwind(Box::new("no idea")),
                Habit::Flooding => return Ok("flood ".repeat(1 << 20)),
                Habit::Late => {
                    while !deadline.is_over() {
                        std::thread::yield_now();
                    }
                    std::thread::sleep(Duration::from_millis(250));
                }
            }
        }
        Ok("(add 1)".to_string())
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        let own = last.map(|turn| turn.own.clone());
        self.learned.lock().unwrap().push(format!("{own:?} {goals:?}"));
    }

    fn thought(&self) -> Thought<String> {
        Thought { playouts: Some(self.asked as u64), ..Thought::default() }
    }
}

fn run(game: &AnyGame, sitters: Vec<Sitter>, seed: u64) -> MatchRecord {
    let setup = Setup {
        play_clock: Duration::from_millis(1000),
        grace: Duration::from_millis(100),
        max_steps: 20,
        ..Setup::new("sum", Seed(seed))
    };
    play(game, sitters, &setup, None)
}

#[test]
fn a_good_match_is_recorded_completely() {
    let game = sum(["a", "b"], Trouble::None);
    let record = run(&game, vec![Doll::sit(Habit::Good), Doll::sit(Habit::Good)], 1);
    assert_eq!(record.ending, Ending::Terminal);
    assert_eq!(record.moves, vec![vec!["(add 1)"; 2]; 6]);
    assert_eq!(record.states.last().unwrap(), "((sum 12))");
    assert_eq!(record.errors, vec![vec!["", ""]; 7]);
    assert_eq!(record.goal_values, Some(vec![50, 50]));
    assert!(record.faults.is_empty() && record.is_completed && !record.is_aborted);
    assert_eq!(record.thoughts[0].thought.playouts, Some(1));
}

#[test]
fn records_are_the_same_for_the_same_seed_and_survive_json() {
    let game = sum(["a", "random"], Trouble::None);
    let text = |seed| {
        let record = run(&game, vec![Doll::sit(Habit::Illegal), Sitter::Nature], seed);
        let text = serde_json::to_string(&record.canonical()).unwrap();
        assert_eq!(serde_json::from_str::<MatchRecord>(&text).unwrap(), record.canonical());
        let whole = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<MatchRecord>(&whole).unwrap(), record);
        assert_eq!(record.times.unwrap().state_times.len(), record.states.len());
        text
    };
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
    assert!(!text(7).contains("Time"));
}

#[test]
fn bad_answers_cost_a_move_and_never_the_match() {
    let game = sum(["a", "b"], Trouble::None);
    let cases = [
        (Habit::Illegal, "IL (add 9)"),
        (Habit::Nonsense, "IL (((("),
        (Habit::Faulty, "CE"),
        (Habit::Panicking, "CE"),
        (Habit::Late, "TO"),
    ];
    for (habit, code) in cases {
        let learned = Arc::default();
        let record = run(&game, vec![Doll::watched(habit, Arc::clone(&learned)), Doll::sit(Habit::Good)], 3);
        assert_eq!(record.ending, Ending::Terminal, "{code}");
        assert_eq!(record.errors[2], [code, ""]);
        assert_eq!(record.faults.len(), 1, "{:?}", record.faults);
        assert_eq!((record.faults[0].step, record.faults[0].role.as_str()), (2, "a"));
        // The seat is told the move that was made for it, and everything else.
        let learned = learned.lock().unwrap();
        let own: Vec<String> = record.moves.iter().map(|joint| joint[0].clone()).collect();
        assert_eq!(learned[..learned.len() - 1], own[..own.len() - 1]);
        assert!(learned.last().unwrap().ends_with("Some([Some(50), Some(50)])"));
    }
}

#[test]
fn a_role_called_random_is_played_by_the_referee() {
    let game = sum(["a", "random"], Trouble::None);
    let record = run(&game, vec![Doll::sit(Habit::Good), Sitter::Nature], 5);
    assert_eq!(record.player_names_from_host, ["doll", "random"]);
    assert!(record.faults.is_empty());
}

#[test]
fn games_that_go_wrong_end_with_a_record() {
    let dolls = || vec![Doll::sit(Habit::Good), Doll::sit(Habit::Good)];
    let ending = |trouble| run(&sum(["a", "b"], trouble), dolls(), 1);
    let record = ending(Trouble::DeadEnd);
    assert_eq!(record.ending, Ending::DeadEnd { role: "b".to_string() });
    assert_eq!((record.moves.len(), record.states.len(), record.is_aborted), (3, 4, true));
    assert_eq!(record.goals, [None, None]);
    let record = ending(Trouble::NoGoal);
    assert_eq!(record.ending, Ending::Terminal);
    assert_eq!((record.goals, record.goal_values), (vec![Some(50), None], None));
    assert_eq!(record.all_goals, Some(vec![vec![50], vec![0, 100]]));
    assert_eq!(ending(Trouble::Endless).ending, Ending::StepLimit);
    assert_eq!(ending(Trouble::Fault).ending, Ending::Broken { reason: "the rules run away".to_string() });
}

#[test]
fn a_flood_of_text_is_cut_short() {
    let game = sum(["a", "b"], Trouble::None);
    let record = run(&game, vec![Doll::sit(Habit::Flooding), Doll::sit(Habit::Good)], 3);
    assert_eq!(record.ending, Ending::Terminal);
    assert!(record.errors[2][0].starts_with("IL flood flood ") && record.errors[2][0].len() < 300);
    assert_eq!(record.faults[0].text, "the answer is too long: 6291456 bytes");
}

#[test]
fn replacement_is_a_policy() {
    let game = sum(["a", "b"], Trouble::None);
    let record = |replacement| {
        let setup = Setup { replacement, ..Setup::new("sum", Seed(4)) };
        play(&game, vec![Doll::sit(Habit::Illegal), Doll::sit(Habit::Good)], &setup, None)
    };
    let first = record(Replacement::First);
    assert_eq!((first.moves[1][0].as_str(), first.errors[2][0].as_str()), ("(add 1)", "IL (add 9)"));
    let lost = record(Replacement::Forfeit);
    let reason = "`(add 9)` is not a legal move of a".to_string();
    assert_eq!(lost.ending, Ending::Forfeit { role: "a".to_string(), reason });
    assert_eq!((lost.moves.len(), lost.states.len(), lost.is_aborted), (1, 2, true));
}

/// Keeps what is written, and breaks at a given step.
#[derive(Default)]
struct Notebook {
    opened: usize,
    steps: Vec<StepRecord>,
    closed: usize,
    full: Option<usize>,
}

impl Journal for Notebook {
    fn open(&mut self, _: &MatchRecord) -> Result<(), JournalError> {
        self.opened += 1;
        Ok(())
    }

    fn step(&mut self, number: usize, step: &StepRecord) -> Result<(), JournalError> {
        assert_eq!(number, self.steps.len(), "no step is lost, none comes twice");
        if self.full == Some(number) {
            return Err(JournalError::new("the disk is full"));
        }
        self.steps.push(step.clone());
        Ok(())
    }

    fn close(&mut self, _: &MatchRecord) -> Result<(), JournalError> {
        self.closed += 1;
        Ok(())
    }
}

#[test]
fn an_interrupted_match_is_resumed_as_if_nothing_had_happened() {
    let game = sum(["a", "random"], Trouble::None);
    let sitters = || vec![Doll::sit(Habit::Illegal), Sitter::Nature];
    let setup = Setup { ..Setup::new("sum", Seed(12)) };
    let whole = play(&game, sitters(), &setup, None);
    for after in 0..whole.states.len() {
        let mut book = Notebook::default();
        let mut reached = 0;
        let stopping = Setup { stop: Default::default(), ..setup.clone() };
        let mut watch = |_: Event<'_>| {
            if reached == after {
                stopping.stop.stop();
            }
            reached += 1;
        };
        let part = play_on(&game, sitters(), &stopping, &[], &mut book, Some(&mut watch));
        let past = book.steps.clone();
        if after + 1 < whole.states.len() {
            assert!(matches!(part.ending, Ending::Interrupted { .. }), "{:?}", part.ending);
            assert_eq!((past.len(), book.closed, part.is_aborted), (after + 1, 0, false));
        } else {
            assert_eq!(part.canonical(), whole.canonical());
        }
        let resumed = play_on(&game, sitters(), &setup, &past, &mut book, None);
        assert_eq!(resumed.canonical(), whole.canonical());
        assert_eq!((book.opened, book.steps.len()), (1, whole.states.len()));
    }
}

#[test]
fn who_thinks_is_told_when_a_match_is_interrupted() {
    let game = sum(["a", "b"], Trouble::None);
    let hour = Duration::from_secs(3600);
    let setup = Setup { play_clock: hour, start_clock: hour, ..Setup::new("sum", Seed(1)) };
    let mut book = Notebook::default();
    let stop = setup.stop.clone();
    let sitters = vec![Doll::sit(Habit::Good), Doll::sit(Habit::Late)];
    let began = std::time::Instant::now();
    let mut watch = |event: Event<'_>| {
        if let Event::Step { .. } = event {
            let stop = stop.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(50));
                stop.stop();
            });
        }
    };
    let record = play_on(&game, sitters, &setup, &[], &mut book, Some(&mut watch));
    assert!(matches!(record.ending, Ending::Interrupted { .. }), "{:?}", record.ending);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    // The step that was being played is not made, and nobody is blamed for it.
    assert_eq!((record.moves.len(), book.steps.len(), book.closed), (1, 2, 0));
    assert!(record.faults.is_empty() && !record.is_aborted);
}

#[test]
fn a_match_stops_where_it_cannot_be_written_down() {
    let game = sum(["a", "b"], Trouble::None);
    let mut book = Notebook { full: Some(2), ..Notebook::default() };
    let sitters = vec![Doll::sit(Habit::Good), Doll::sit(Habit::Good)];
    let record = play_on(&game, sitters, &Setup::new("sum", Seed(1)), &[], &mut book, None);
    assert_eq!(record.ending, Ending::Interrupted { reason: "the disk is full".to_string() });
    assert_eq!((record.moves.len(), book.steps.len(), book.closed), (1, 2, 0));
}

#[test]
fn a_record_is_its_opening_its_steps_and_its_end() {
    let game = sum(["a", "b"], Trouble::None);
    let record = run(&game, vec![Doll::sit(Habit::Illegal), Doll::sit(Habit::Good)], 3);
    let mut again = record.opening();
    record.steps().into_iter().for_each(|step| again.push(step));
    assert_eq!(again.with_end(record.end()), record);
}
