//! A player that searches, and a match against a random one: cargo run --release --example simple_uct
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use game::{
    AnyGame, Deadline, Fault, Game, MatchContext, MoveId, Observation, Outcomes, Player, Playouts, RoleId,
    Seat, Seated, Seed, Start,
};
use library::{Library, Loaded};
use reasoner::{CircuitGame, GroundLimits};

/// One legal move of one role: how often it was tried and what it brought in sum.
struct Arm {
    mv: MoveId,
    visits: f64,
    sum: f64,
}

struct Uct<G: Game> {
    game: Arc<G>,
    /// What the game writes to while it answers. It stays from question to question.
    scratch: G::Scratch,
    role: RoleId,
    state: G::State,
    seed: Seed,
    playouts: u64,
    /// For every state met, the moves of every role. It stays from move to move.
    table: HashMap<G::State, Vec<Vec<Arm>>>,
}

impl<G: Game> Uct<G> {
    /// From the state of the match to a state not met before, and back with what a playout brought.
    fn iterate(&mut self) -> Result<(), Fault> {
        let mut state = self.state.clone();
        let mut path: Vec<(G::State, Vec<usize>)> = Vec::new();
        while let Some(arms) =
            self.table.get(&state).filter(|arms| arms.iter().all(|moves| !moves.is_empty()))
        {
            let picks: Vec<usize> = arms.iter().map(|moves| best(moves)).collect();
            let joint: Vec<MoveId> = arms.iter().zip(&picks).map(|(moves, &pick)| moves[pick].mv).collect();
            let next = self.game.next(&mut self.scratch, &state, &joint)?;
            path.push((state, picks));
            state = next;
            if path.len() > 200 || self.game.is_terminal(&mut self.scratch, &state)? {
                break;
            }
        }
        let goals = self.playout(&state)?;
        if !self.table.contains_key(&state) && !self.game.is_terminal(&mut self.scratch, &state)? {
            let arms =
                RoleId::all(goals.len()).map(|role| self.arms(&state, role)).collect::<Result<_, _>>()?;
            self.table.insert(state, arms);
        }
        for (state, picks) in &path {
            let arms = self.table.get_mut(state).expect("the path runs through the table");
            for ((moves, &pick), goal) in arms.iter_mut().zip(picks).zip(&goals) {
                moves[pick].visits += 1.0;
                moves[pick].sum += goal;
            }
        }
        Ok(())
    }

    /// The goals of a random game from here, from 0 to 1.
    fn playout(&mut self, state: &G::State) -> Result<Vec<f64>, Fault> {
        let starts = [Start { state: state.clone(), first: None, count: 1 }];
        self.playouts += 1;
        let request =
            Playouts { first_index: self.playouts, max_steps: 1000, ..Playouts::new(&starts, self.seed) };
        let outcomes = self.game.playouts(&mut self.scratch, &request)?;
        let points = |&goal: &i32| if goal == Outcomes::NO_GOAL { 0.5 } else { f64::from(goal) / 100.0 };
        Ok(outcomes.goals_of(0).iter().map(points).collect())
    }

    fn arms(&mut self, state: &G::State, role: RoleId) -> Result<Vec<Arm>, Fault> {
        let mut moves = Vec::new();
        self.game.legal(&mut self.scratch, state, role, &mut moves)?;
        Ok(moves.into_iter().map(|mv| Arm { mv, visits: 0.0, sum: 0.0 }).collect())
    }
}

/// The move with the highest upper confidence bound; moves not yet tried come first.
fn best(moves: &[Arm]) -> usize {
    let total: f64 = moves.iter().map(|arm| arm.visits).sum();
    let bound = |arm: &Arm| match arm.visits {
        0.0 => f64::INFINITY,
        visits => arm.sum / visits + 0.7 * (total.ln() / visits).sqrt(),
    };
    (0..moves.len()).max_by(|&a, &b| bound(&moves[a]).total_cmp(&bound(&moves[b]))).unwrap_or(0)
}

struct UctPlayer<G: Game>(Option<Uct<G>>);

impl<G: Game> Player<G> for UctPlayer<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        let (role, state, seed) = (context.role, game.initial(), context.seed);
        let (game, scratch, table) = (game.clone(), game.scratch(), HashMap::new());
        self.0 = Some(Uct { game, scratch, role, state, seed, playouts: 0, table });
        Ok(())
    }

    fn update(&mut self, seen: &Observation) -> Result<(), Fault> {
        let uct = self.0.as_mut().expect("a match starts first");
        let joint = seen.joint.as_ref().ok_or(Fault::Unsupported("hidden moves".to_string()))?;
        uct.state = uct.game.next(&mut uct.scratch, &uct.state, joint)?;
        Ok(())
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let uct = self.0.as_mut().expect("a match starts first");
        let early = deadline.earlier(Duration::from_millis(20));
        uct.iterate()?;
        while !early.is_over() {
            uct.iterate()?;
        }
        let moves = &uct.table[&uct.state][uct.role.index()];
        let most = moves.iter().max_by(|a, b| a.visits.total_cmp(&b.visits));
        Ok(most.expect("a role has a legal move").mv)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sheet = Loaded::new(Library::embedded().find("connect_four")?, Default::default());
    let rules = sheet.rules().ok_or("the sheet has errors")?;
    let game = Arc::new(CircuitGame::new(rules, GroundLimits::default())?);
    let any = AnyGame::new(Arc::clone(&game));
    let uct: Box<dyn Seat> = Box::new(Seated::new(game.clone(), UctPlayer(None)));
    let sitters = vec![
        arena::Sitter::Seat("uct".into(), uct),
        arena::Sitter::Seat("random".into(), cast::seat(&any, "random")?),
    ];
    let setup =
        arena::Setup { play_clock: Duration::from_millis(200), ..arena::Setup::new("connect_four", Seed(1)) };
    let record = arena::play(&any, sitters, &setup, None);
    Ok(std::io::Write::write_all(&mut std::io::stdout(), format!("{:?}\n", record.goals).as_bytes())?)
}
