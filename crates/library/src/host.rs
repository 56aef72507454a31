//! Players that take invitations: rules that came over the wire become a game,
//! and a player is seated at it.

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

/// A player of one's own, for [`arena::PlayerServer`]; one is made for each match.
pub fn host_of<P: Player<AnyGame> + 'static>(
    make: impl Fn() -> P + Send + Sync + 'static,
    reasoner: &str,
) -> Host {
    hosting(reasoner, move |game| Ok(Box::new(Seated::new(Arc::new(game.clone()), make()))))
}

/// Whoever `seat` puts at the game of an invitation, for [`arena::PlayerServer`].
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

/// Why an invitation is declined.
#[derive(Debug, Clone, thiserror::Error)]
enum Declined {
    #[error("the rules have no role `{0}`")]
    Role(String),
    /// The message of the first diagnostic that is an error.
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

/// The role with this name. Some servers change the case of letters.
fn role_named(game: &AnyGame, name: &str) -> Result<RoleId, Declined> {
    let roles = game.roles();
    let found = roles.iter().position(|role| role == name);
    let found = found.or_else(|| roles.iter().position(|role| role.eq_ignore_ascii_case(name)));
    found.map(|at| RoleId(at as u32)).ok_or_else(|| Declined::Role(name.to_string()))
}

/// The longest time for compiling, however long the clock.
const LONGEST: Duration = Duration::from_secs(20);

/// Makes games of rules from the wire.
///
/// It keeps the last one, since matches at the same time and one after another
/// are mostly of the same sheet.
struct Compiler {
    reasoner: String,
    last: Mutex<Option<Arc<Compiled>>>,
}

/// A sheet and, once it is done, what was made of it.
struct Compiled {
    rules: Arc<str>,
    start_clock: Duration,
    game: OnceLock<Result<Chosen, Declined>>,
}

impl Compiler {
    /// The game of an invitation; waits if another match is compiling the same rules.
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

/// What compiling rules from the wire may cost: half the time before the first
/// move, and memory in the order of a gigabyte.
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
