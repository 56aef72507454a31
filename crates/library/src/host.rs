//! Players that accept invitations: rules that arrive over the network become a game, and a player
//! takes a seat in it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use arena::{Guest, Host, HostError, Invitation};
use game::{AnyGame, Deadline, Fault, Game, Player, Role, RoleId, Seat, Seated, SpecError};
use gdl::Severity;
use reasoner::{GroundLimits, Making};
use rules::Strictness;

use crate::languages::from_bytes;
use crate::loaded::{Loaded, PlayError};
use crate::reasoners::{Chosen, fastest};

/// Returns a host for a player of your own, for [`arena::PlayerServer`]; `make` creates one per match.
pub fn host_of<P: Player<AnyGame> + 'static>(
    make: impl Fn() -> P + Send + Sync + 'static,
    reasoner: &str,
) -> Host {
    hosting(reasoner, move |game| Ok(Box::new(Seated::new(Arc::new(game.clone()), make()))))
}

/// Returns a host for the players that `seat` creates for a game, for [`arena::PlayerServer`].
pub fn hosting(
    reasoner: &str,
    seat: impl Fn(&AnyGame) -> Result<Box<dyn Seat>, SpecError> + Send + Sync + 'static,
) -> Host {
    let compiler = Compiler { reasoner: reasoner.to_string(), last: Mutex::default() };
    let guest = move |invitation: &Invitation| -> Result<Guest, Declined> {
        let game = compiler.game(invitation)?.game;
        let role = role_named(&game, &invitation.role)?;
        let seat = seat(&game)?;
        let roles = Role::names(game.roles());
        Ok(Guest { seat, roles, role, hides: game.has_percepts() })
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

/// The maximum time for compiling, however long the clock.
const LONGEST: Duration = Duration::from_secs(20);

/// Makes games from rules that arrive over the network.
///
/// It caches the last game, since concurrent and successive matches mostly use the same sheet.
struct Compiler {
    reasoner: String,
    last: Mutex<Option<Arc<Compiled>>>,
}

/// A sheet and, once it is ready, its game.
struct Compiled {
    rules: Arc<str>,
    start_clock: Duration,
    game: OnceLock<Result<Chosen, Declined>>,
}

impl Compiler {
    /// Returns the game of an invitation. Waits if another match is compiling the same rules.
    fn game(&self, invitation: &Invitation) -> Result<Chosen, Declined> {
        let compiled = {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let same = |kept: &&Arc<Compiled>| {
                kept.start_clock == invitation.start_clock
                    && kept.rules == invitation.rules
                    && !matches!(kept.game.get(), Some(Err(_)))
            };
            match last.as_ref().filter(same) {
                Some(kept) => Arc::clone(kept),
                None => Arc::clone(last.insert(Arc::new(Compiled {
                    rules: Arc::clone(&invitation.rules),
                    start_clock: invitation.start_clock,
                    game: OnceLock::new(),
                }))),
            }
        };
        compiled.game.get_or_init(|| compile(&self.reasoner, invitation)).clone()
    }
}

/// Limits the cost of compiling rules from the network: half of the time before the first move, and
/// memory on the order of a gigabyte.
fn making(invitation: &Invitation) -> Making {
    let usual = GroundLimits::default();
    let time = (invitation.start_clock / 2).clamp(Duration::from_secs(1), LONGEST);
    Making {
        limits: GroundLimits {
            atoms: usual.atoms.min(2_000_000),
            instances: usual.instances.min(10_000_000),
            ..usual
        },
        deadline: Deadline::after(time),
        observer: None,
    }
}

fn compile(reasoner: &str, invitation: &Invitation) -> Result<Chosen, Declined> {
    let bytes = invitation.rules.as_bytes().to_vec();
    let source = from_bytes(invitation.match_id.clone(), "the rules".to_string(), Some("kif"), bytes);
    let loaded = Loaded::new(source, Strictness::Lenient);
    match loaded.rules() {
        Some(rules) if reasoner == "auto" => Ok(fastest(&rules, &making(invitation))?),
        Some(_) => loaded.play(reasoner).map_err(|error| Declined::Play(Arc::new(error))),
        None => {
            let error = loaded.diagnostics().iter().find(|found| found.severity == Severity::Error);
            Err(error.map_or(Declined::Unreadable, |found| Declined::Rules(found.message.clone())))
        }
    }
}
