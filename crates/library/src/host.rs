//! Players that accept invitations: rules that arrive over the network become a game, and a player
//! takes a seat in it.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use arena::{Guest, Host, HostError, Invitation};
use game::{AnyGame, Deadline, Fault, Game, Player, Role, RoleId, Seat, Seated, SpecError};
use gdl::Severity;
use reasoner::{GroundLimits, Making};
use rules::Strictness;

use crate::languages::from_bytes;
use crate::later::{Begun, Later, Slot};
use crate::loaded::{Loaded, PlayError};
use crate::reasoners::Chosen;
use crate::relay::{Relay, Seater};

/// Returns a host for a player of your own, for [`arena::PlayerServer`]; `make` creates one per match. If the
/// player is late, nothing is answered for it.
pub fn host_of<P: Player<AnyGame> + 'static>(
    make: impl Fn() -> P + Send + Sync + 'static,
    reasoner: &str,
) -> Host {
    hosting(reasoner, move |game| Ok(Box::new(Seated::new(Arc::new(game.clone()), make()))), |_| None)
}

/// Returns a host for the players that `seat` creates for a game, for [`arena::PlayerServer`]. `standby`
/// creates a player that finds a legal move at once, which is made if the other one is late.
pub fn hosting(
    reasoner: &str,
    seat: impl Fn(&AnyGame) -> Result<Box<dyn Seat>, SpecError> + Send + Sync + 'static,
    standby: impl Fn(&AnyGame) -> Option<Box<dyn Seat>> + Send + Sync + 'static,
) -> Host {
    let compiler = Compiler { reasoner: reasoner.to_string(), last: Mutex::default() };
    let seater: Seater = Arc::new(seat);
    let guest = move |invitation: &Invitation| -> Result<Guest, Declined> {
        let begun = compiler.begin(invitation)?;
        let game = &begun.now.game;
        let role = role_named(game, &invitation.role)?;
        Ok(Guest {
            seat: Box::new(Relay::new(&begun, Arc::clone(&seater))?),
            standby: standby(game),
            roles: Role::names(game.roles()),
            role,
            hides: game.has_percepts(),
        })
    };
    Arc::new(move |invitation: &Invitation, _: &Deadline| guest(invitation).map_err(HostError::new))
}

/// The reason why an invitation is declined.
#[derive(Debug, Clone, thiserror::Error)]
enum Declined {
    #[error("the rules have no role `{0}`")]
    Role(String),
    /// Contains the message of the first error.
    #[error("{0}")]
    Rules(String),
    #[error("the rules cannot be read")]
    Unreadable,
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Play(Arc<PlayError>),
}

/// Finds the role with this name, ignoring case if necessary: some servers change it.
fn role_named(game: &AnyGame, name: &str) -> Result<RoleId, Declined> {
    let roles = game.roles();
    let found = roles.iter().position(|role| role == name);
    let found = found.or_else(|| roles.iter().position(|role| role.eq_ignore_ascii_case(name)));
    found.map(|at| RoleId(at as u32)).ok_or_else(|| Declined::Role(name.to_string()))
}

/// The maximum time for compiling. It happens in the background and stops with the match.
const LONGEST: Duration = Duration::from_secs(120);

/// Makes games from rules that came over the network.
///
/// The last one is kept: matches at the same time, and one after another, are mostly of the same sheet.
struct Compiler {
    reasoner: String,
    last: Mutex<Option<Kept>>,
}

/// A sheet and what was made of it.
struct Kept {
    rules: Arc<str>,
    now: Chosen,
    /// Where the compiled game will be, unless it is `now`.
    slot: Option<Arc<Slot>>,
    /// The making, for as long as a match waits for it.
    later: Weak<Later>,
}

impl Kept {
    /// Returns the game for another match, unless its making was stopped.
    fn begun(&self) -> Option<Begun> {
        let Some(slot) = &self.slot else { return Some(Begun { now: self.now.clone(), later: None }) };
        match slot.game() {
            Some(now) => Some(Begun { now, later: None }),
            None => Some(Begun { now: self.now.clone(), later: Some(self.later.upgrade()?) }),
        }
    }
}

impl Compiler {
    /// Returns the game of an invitation, which answers at once.
    fn begin(&self, invitation: &Invitation) -> Result<Begun, Declined> {
        let kept = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let same = kept().as_ref().filter(|kept| kept.rules == invitation.rules).and_then(Kept::begun);
        if let Some(begun) = same {
            return Ok(begun);
        }
        let begun = begin(&self.reasoner, invitation)?;
        *kept() = Some(Kept {
            rules: Arc::clone(&invitation.rules),
            now: begun.now.clone(),
            slot: begun.later.as_ref().map(|later| later.slot()),
            later: begun.later.as_ref().map(Arc::downgrade).unwrap_or_default(),
        });
        Ok(begun)
    }
}

/// Returns what compiling rules from the network may cost: memory in the order of a gigabyte, and bounded
/// time.
fn making() -> Making {
    let usual = GroundLimits::default();
    Making {
        limits: GroundLimits {
            atoms: usual.atoms.min(2_000_000),
            instances: usual.instances.min(10_000_000),
            ..usual
        },
        deadline: Deadline::after(LONGEST),
        observer: None,
    }
}

fn begin(reasoner: &str, invitation: &Invitation) -> Result<Begun, Declined> {
    let bytes = invitation.rules.as_bytes().to_vec();
    let source = from_bytes(invitation.match_id.clone(), "the rules".to_string(), Some("kif"), bytes);
    let mut loaded = Loaded::new(source, Strictness::Lenient);
    loaded.making = making();
    if loaded.rules().is_none() {
        let error = loaded.diagnostics().iter().find(|found| found.severity == Severity::Error);
        return Err(error.map_or(Declined::Unreadable, |found| Declined::Rules(found.message.clone())));
    }
    loaded.begin(reasoner).map_err(|error| Declined::Play(Arc::new(error)))
}
