//! Time is kept back for an answer, whatever way of thinking a player has.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use belief::{Believer, Playing, Way};
use game::{Deadline, Fault, MoveId, Player, Seed};
use reasoner::CircuitGame;

use crate::fog::{circuit, context};

const CLOCK: Duration = Duration::from_millis(400);
/// For so long it does not look at the clock.
const BLIND: Duration = Duration::from_millis(60);

/// Tells how much time it was given, and overstays it.
struct Overstays(Mutex<Sender<Duration>>);

impl Way<CircuitGame> for Overstays {
    fn is_counted(&self) -> bool {
        false
    }

    fn models(&self) -> usize {
        1
    }

    fn think(&mut self, _: &mut Playing<CircuitGame>, deadline: &Deadline) -> Result<MoveId, Fault> {
        let given = deadline.remaining().unwrap();
        self.0.lock().unwrap().send(given).unwrap();
        sleep(given + BLIND);
        Ok(MoveId(0))
    }
}

#[test]
fn who_overstayed_is_given_less_time() {
    let game = circuit("kuhn_poker");
    let (told, given) = channel();
    let mut player: Believer<CircuitGame, Overstays> = Believer::new(Overstays(Mutex::new(told)));
    player.start(&game, &context(0, Seed(1)), &Deadline::never()).unwrap();
    for _ in 0..2 {
        player.select(&Deadline::after(CLOCK)).unwrap();
    }
    let given: Vec<Duration> = given.try_iter().collect();
    // Something is kept back for the way of the answer at once, and after that what was overstayed.
    assert!(given[0] <= CLOCK - Duration::from_millis(20), "{given:?}");
    assert!(given[1] + BLIND <= CLOCK, "{given:?}");
}

/// A choice for which there is far too little time.
#[test]
fn what_would_take_minutes_stops_when_told() {
    let game = circuit("krieg_tic_tac_toe_5");
    let players = players::registry::<CircuitGame>();
    for spec in ["hyperplay(10000,100)", "hyperplay2(64,64,64,64)", "ismcts(100000000)", "oos(100000000)"] {
        let mut player = players.make(spec, &()).unwrap();
        player.start(&game, &context(0, Seed(1)), &Deadline::never()).unwrap();
        let mut times: Vec<Duration> = (0..5)
            .map(|_| {
                let began = Instant::now();
                player.select(&Deadline::after(CLOCK)).unwrap();
                began.elapsed()
            })
            .collect();
        times.sort();
        assert!(times[2] < CLOCK, "{spec}: {times:?}");
    }
}
