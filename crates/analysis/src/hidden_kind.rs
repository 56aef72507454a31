//! The kinds of information that a game hides.
//!
//! M. Schofield and M. Thielscher (General Game Playing with Imperfect Information, appendix G) classify
//! games by what is hidden: the moves of others, something at the beginning, what a role is after, or
//! things that can be found out at a price or for a tactical advantage.
//!
//! Random matches are searched for examples: alternative moves that would have looked the same, and moves
//! that distinguish histories which look the same, for a role that chooses again later. Such moves are
//! information to be bought if they cost points, that is, if the role gets less after them even in the
//! luckiest case. Everything that is found is true, but the search may miss some.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use belief::{Bag, Place, Seen, catch_up, place};
use game::{Deadline, Fault, Game, Goal, MoveId, PerceptId, PlayoutStream, Role, RoleId, Seed, playout};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// The number of random matches, and the maximum number of steps in each.
const MATCHES: u64 = 24;
const STEPS: u32 = 40;
/// The maximum number of alternative moves tried per role and step.
const OTHERS: usize = 6;
/// The number of sampled histories to compare, and the maximum number of joint moves to try in each. If
/// there are more joint moves, the move is not judged.
const MODELS: usize = 12;
const TRIES: usize = 256;
/// The maximum number of states visited to find what can still be won, per question and in total. Beyond
/// that, there is no answer.
const STATES: usize = 1000;
const ALL_STATES: usize = 50_000;
/// The maximum number of own moves compared in a step.
const OWN: usize = 24;

/// A kind of hidden information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HiddenKind {
    /// Moves of other roles.
    Moves,
    /// Something that chance sets up before anybody chooses.
    Beginning,
    /// What chance does later.
    Chance,
    /// Something that a single role can find out at the cost of points, when it could do something else.
    Purchase,
    /// What another role is after.
    Objectives,
    /// Something that can be found out during a contest, when something else could be done.
    Tactics,
}

impl HiddenKind {
    /// Returns a description.
    pub fn text(self) -> &'static str {
        match self {
            HiddenKind::Moves => "hidden moves",
            HiddenKind::Beginning => "a hidden beginning",
            HiddenKind::Chance => "hidden chance",
            HiddenKind::Purchase => "information to be bought",
            HiddenKind::Objectives => "hidden objectives",
            HiddenKind::Tactics => "information as a tactical advantage",
        }
    }
}

/// A kind of hidden information, with an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hidden {
    /// The kind.
    pub kind: HiddenKind,
    /// Where it was found.
    pub example: String,
}

/// Returns the kinds of information that a game hides, as far as random matches show them before the
/// deadline.
pub fn hidden_kinds<G: Game>(game: &G, seed: Seed, deadline: &Deadline) -> Result<Vec<Hidden>, Fault> {
    if !game.has_percepts() {
        return Ok(Vec::new());
    }
    let chance: Vec<bool> = game.roles().iter().map(Role::is_chance).collect();
    let mut look = Look { game, scratch: game.scratch(), chance, found: BTreeMap::new(), states: ALL_STATES };
    for number in 0..MATCHES {
        if deadline.is_over() {
            break;
        }
        let stream = PlayoutStream::new(seed.derive_name("hidden"), number);
        let mut steps: Vec<(G::State, Vec<MoveId>)> = Vec::new();
        playout(game, &mut look.scratch, &game.initial(), None, stream, STEPS, |state, joint| {
            steps.push((state.clone(), joint.to_vec()));
        })?;
        look.unseen(&steps)?;
        look.told(&steps, seed.derive(number), deadline)?;
    }
    Ok(look.found.into_iter().map(|(kind, example)| Hidden { kind, example }).collect())
}

struct Look<'a, G: Game> {
    game: &'a G,
    scratch: G::Scratch,
    chance: Vec<bool>,
    found: BTreeMap<HiddenKind, String>,
    /// The number of states that may still be visited to find what can be won.
    states: usize,
}

impl<G: Game> Look<'_, G> {
    fn seats(&self) -> impl Iterator<Item = RoleId> + use<G> {
        let chance = self.chance.clone();
        RoleId::all(chance.len()).filter(move |role| !chance[role.index()])
    }

    fn name(&self, role: RoleId) -> &str {
        &self.game.roles()[role.index()]
    }

    fn legal(&mut self, state: &G::State, role: RoleId) -> Result<Vec<MoveId>, Fault> {
        let mut moves = Vec::new();
        self.game.legal(&mut self.scratch, state, role, &mut moves)?;
        Ok(moves)
    }

    fn sees(&mut self, state: &G::State, joint: &[MoveId], role: RoleId) -> Result<Vec<PerceptId>, Fault> {
        let mut percepts = Vec::new();
        self.game.percepts(&mut self.scratch, state, joint, role, &mut percepts)?;
        percepts.sort_unstable();
        Ok(percepts)
    }

    fn next(&mut self, state: &G::State, joint: &[MoveId]) -> Result<G::State, Fault> {
        self.game.next(&mut self.scratch, state, joint)
    }

    fn is_terminal(&mut self, state: &G::State) -> Result<bool, Fault> {
        self.game.is_terminal(&mut self.scratch, state)
    }

    fn goal(&mut self, state: &G::State, role: RoleId) -> Result<Goal, Fault> {
        Ok(self.game.goal(&mut self.scratch, state, role)?.unwrap_or(0))
    }

    /// Looks for alternative moves that would have looked the same to someone.
    fn unseen(&mut self, steps: &[(G::State, Vec<MoveId>)]) -> Result<(), Fault> {
        let mut begun = false;
        for (at, (state, joint)) in steps.iter().enumerate() {
            let mut choosing = 0;
            for other in RoleId::all(self.chance.len()) {
                let moves = self.legal(state, other)?;
                let by_chance = self.chance[other.index()];
                choosing += usize::from(moves.len() > 1 && !by_chance);
                for &instead in moves.iter().filter(|mv| **mv != joint[other.index()]).take(OTHERS) {
                    let mut changed = joint.clone();
                    changed[other.index()] = instead;
                    let (one, two) = (self.next(state, joint)?, self.next(state, &changed)?);
                    // If the match ends either way, nobody misses anything.
                    if one == two || self.is_terminal(&one)? && self.is_terminal(&two)? {
                        continue;
                    }
                    let (mut blind, mut sighted) = (Vec::new(), Vec::new());
                    for role in self.seats().filter(|role| *role != other) {
                        let same = self.sees(state, joint, role)? == self.sees(state, &changed, role)?;
                        if same { blind.push(role) } else { sighted.push(role) }
                    }
                    let Some(first) = blind.first() else { continue };
                    let text = self.game.move_text(other, joint[other.index()]);
                    let example =
                        format!("{} does not see {} of {}", self.name(*first), text, self.name(other));
                    let kind = match (by_chance, begun) {
                        (false, _) => HiddenKind::Moves,
                        (true, false) => HiddenKind::Beginning,
                        (true, true) => HiddenKind::Chance,
                    };
                    self.found.entry(kind).or_insert(example);
                    if by_chance && let [informed] = sighted[..] {
                        self.objectives(steps, at, &changed, informed, *first)?;
                    }
                }
            }
            begun |= choosing > 0;
        }
        Ok(())
    }

    /// Records hidden objectives if, for the same moves, a role's goal depends on what only it saw of
    /// chance, and the others do not simply lose what it wins.
    fn objectives(
        &mut self,
        steps: &[(G::State, Vec<MoveId>)],
        at: usize,
        changed: &[MoveId],
        informed: RoleId,
        blind: RoleId,
    ) -> Result<(), Fault> {
        let Some((before, last)) = steps.last() else { return Ok(()) };
        let end = self.next(before, last)?;
        let mut state = self.next(&steps[at].0, changed)?;
        for (_, joint) in &steps[at + 1..] {
            for role in RoleId::all(joint.len()) {
                if !self.legal(&state, role)?.contains(&joint[role.index()]) {
                    return Ok(());
                }
            }
            state = self.next(&state, joint)?;
        }
        if !self.is_terminal(&end)? || !self.is_terminal(&state)? {
            return Ok(());
        }
        let mut goals = |state: &G::State| {
            self.seats().map(|role| self.goal(state, role)).collect::<Result<Vec<Goal>, Fault>>()
        };
        let (one, two) = (goals(&end)?, goals(&state)?);
        let (sum_one, sum_two): (i32, i32) = (one.iter().sum(), two.iter().sum());
        let shared = |goals: &[i32]| goals.windows(2).all(|pair| pair[0] == pair[1]);
        let place = self.seats().position(|role| role == informed).unwrap_or(0);
        if sum_one != sum_two && one[place] != two[place] && !(shared(&one) && shared(&two)) {
            let example =
                format!("only {} knows what it is after, {} does not", self.name(informed), self.name(blind));
            self.found.entry(HiddenKind::Objectives).or_insert(example);
        }
        Ok(())
    }

    /// Looks for moves that reveal something when another move would reveal nothing.
    fn told(
        &mut self,
        steps: &[(G::State, Vec<MoveId>)],
        seed: Seed,
        deadline: &Deadline,
    ) -> Result<(), Fault> {
        let kind = if self.seats().count() == 1 { HiddenKind::Purchase } else { HiddenKind::Tactics };
        if self.found.contains_key(&kind) {
            return Ok(());
        }
        let initial = place(self.game, &mut self.scratch, self.game.initial())?;
        for role in self.seats() {
            let mut bag = Bag::new(role, &initial, MODELS, seed.derive(u64::from(role.0)));
            for (state, joint) in steps.iter().take(steps.len() - 1) {
                if deadline.is_over() {
                    return Ok(());
                }
                bag.see(Seen::hidden(joint[role.index()], &self.sees(state, joint, role)?));
                catch_up(self.game, &mut self.scratch, &mut [&mut bag], true, deadline)?;
                let Some(first) = bag.current().next() else { return Ok(()) };
                let own = first.place().legal[role.index()].clone();
                if own.len() < 2 || bag.different() < 2 {
                    continue;
                }
                let models: Vec<Arc<Place<G::State>>> =
                    bag.current().map(|model| Arc::clone(model.place())).collect();
                let (mut telling, mut silent) = (None, None);
                for &mv in own.iter().take(OWN) {
                    let possible = |place: &Arc<Place<G::State>>| self.possible(place, role, mv);
                    let seen: Result<Option<BTreeSet<_>>, Fault> =
                        models.iter().map(possible).map(Result::transpose).collect::<Option<_>>().transpose();
                    let Some(seen) = seen? else { continue };
                    // What is revealed at the end of the match can no longer be used.
                    let used = || seen.iter().filter(|percepts| !percepts.is_empty());
                    if used().any(|a| used().any(|b| a.is_disjoint(b))) {
                        if telling.is_none() && self.is_worth_knowing(&models, role, mv, kind)? {
                            telling = Some(mv);
                        }
                    } else if seen.len() == 1 {
                        silent = silent.or(Some(mv));
                    }
                }
                if let (Some(telling), Some(silent)) = (telling, silent) {
                    let text = |mv| self.game.move_text(role, mv);
                    let example = format!(
                        "{} of {} reveals something, {} does not",
                        text(telling),
                        self.name(role),
                        text(silent)
                    );
                    self.found.insert(kind, example);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns what a role may see after a move, over all moves of the others; empty if the match ends.
    /// Returns `None` if the others have too many moves.
    fn possible(
        &mut self,
        place: &Place<G::State>,
        role: RoleId,
        mv: MoveId,
    ) -> Result<Option<BTreeSet<Vec<PerceptId>>>, Fault> {
        let Some(joints) = joints_with(&place.legal, role, mv) else { return Ok(None) };
        let mut all = BTreeSet::new();
        for joint in joints {
            let next = self.next(&place.state, &joint)?;
            if !self.is_terminal(&next)? {
                all.insert(self.sees(&place.state, &joint, role)?);
            }
        }
        Ok(Some(all))
    }

    /// Returns `true` if a role can use what a move reveals: it chooses again later in one of these places.
    /// For [`HiddenKind::Purchase`], the move must also cost points there.
    fn is_worth_knowing(
        &mut self,
        places: &[Arc<Place<G::State>>],
        role: RoleId,
        mv: MoveId,
        kind: HiddenKind,
    ) -> Result<bool, Fault> {
        for (number, place) in (0..).zip(places) {
            let mut choices = 0;
            let mut joints = joints_with(&place.legal, role, mv).unwrap_or_default().into_iter();
            let Some(first) = joints.next() else { continue };
            let after = self.next(&place.state, &first)?;
            let stream = PlayoutStream::new(Seed(0).derive_name("later"), number);
            let mut states = Vec::new();
            playout(self.game, &mut self.scratch, &after, None, stream, STEPS, |state, _| {
                states.push(state.clone());
            })?;
            for state in &states {
                choices += usize::from(self.legal(state, role)?.len() > 1);
            }
            if choices > 0 && (kind != HiddenKind::Purchase || self.costs(place, role, mv)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns `true` if, even in the luckiest case, a role gets less after a move than it could before.
    fn costs(&mut self, place: &Place<G::State>, role: RoleId, mv: MoveId) -> Result<bool, Fault> {
        let mut after = Vec::new();
        for joint in joints_with(&place.legal, role, mv).unwrap_or_default() {
            after.push(self.next(&place.state, &joint)?);
        }
        let best = self.luckiest(after, role)?;
        let before = self.luckiest(vec![place.state.clone()], role)?;
        Ok(best.zip(before).is_some_and(|(best, before)| best < before))
    }

    /// Returns the most that a role can get from these states if all others, and chance, help it. Returns
    /// `None` if there are too many states.
    fn luckiest(&mut self, from: Vec<G::State>, role: RoleId) -> Result<Option<Goal>, Fault> {
        let mut known: FxHashSet<G::State> = from.iter().cloned().collect();
        let mut open = from;
        let mut most = 0;
        while let Some(state) = open.pop() {
            let Some(left) = self.states.checked_sub(1) else { return Ok(None) };
            self.states = left;
            if self.is_terminal(&state)? {
                most = most.max(self.goal(&state, role)?);
                continue;
            }
            let place = place(self.game, &mut self.scratch, state)?;
            for &mv in &place.legal[role.index()] {
                let Some(joints) = joints_with(&place.legal, role, mv) else { return Ok(None) };
                for joint in joints {
                    let next = self.next(&place.state, &joint)?;
                    if known.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            if known.len() > STATES {
                return Ok(None);
            }
        }
        Ok(Some(most))
    }
}

/// Returns the joint moves in which a role makes the given move, or `None` if there are too many.
fn joints_with(legal: &[Vec<MoveId>], role: RoleId, mv: MoveId) -> Option<Vec<Vec<MoveId>>> {
    let mut joints = vec![Vec::new()];
    for (index, moves) in legal.iter().enumerate() {
        let moves = if index == role.index() { &[mv][..] } else { &moves[..] };
        if joints.len() * moves.len() > TRIES {
            return None;
        }
        let longer = |joint: &Vec<MoveId>, mv: MoveId| joint.iter().copied().chain([mv]).collect();
        joints = joints.iter().flat_map(|joint| moves.iter().map(move |mv| longer(joint, *mv))).collect();
    }
    Some(joints)
}
