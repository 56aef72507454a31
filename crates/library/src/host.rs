//! Players that take invitations: rules that came over the wire become a game,
//! and a player is seated at it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use arena::{Guest, Host, HostError, Invitation};
use game::{AnyGame, Deadline, Game, Player, Role, RoleId, Seat, Seated, SpecError};
use gdl::Severity;
use reasoner::{GroundLimits, Making};
use rules::Strictness;

use crate::library::from_bytes;
use crate::loaded::Loaded;
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
    Arc::new(move |invitation: &Invitation, _: &Deadline| {
        let game = compiler.game(invitation).map_err(HostError::new)?.game;
        let role = role_named(&game, &invitation.role).map_err(HostError::new)?;
        let seat = seat(&game).map_err(HostError::new)?;
        let roles = Role::names(game.roles());
        Ok(Guest { seat, roles, role, hides: game.has_percepts() })
    })
}

/// The role with this name. Some servers change the case of letters.
fn role_named(game: &AnyGame, name: &str) -> Result<RoleId, String> {
    let roles = game.roles();
    let found = roles.iter().position(|role| role == name);
    let found = found.or_else(|| roles.iter().position(|role| role.eq_ignore_ascii_case(name)));
    found.map(|at| RoleId(at as u32)).ok_or_else(|| format!("the rules have no role `{name}`"))
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
    game: OnceLock<Result<Chosen, String>>,
}

impl Compiler {
    /// The game of an invitation; waits if another match is compiling the same rules.
    fn game(&self, invitation: &Invitation) -> Result<Chosen, String> {
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

fn compile(reasoner: &str, invitation: &Invitation) -> Result<Chosen, String> {
    let bytes = invitation.rules.as_bytes().to_vec();
    let source = from_bytes(invitation.match_id.clone(), "the rules".to_string(), Some("kif"), bytes);
    let loaded = Loaded::new(source, Strictness::Lenient);
    match &loaded.rules {
        Some(rules) if reasoner == "auto" => {
            fastest(rules, &making(invitation)).map_err(|fault| fault.to_string())
        }
        Some(_) => loaded.play(reasoner).map_err(|error| error.to_string()),
        None => {
            let error = loaded.diagnostics.iter().find(|found| found.severity == Severity::Error);
            Err(error.map_or("the rules cannot be read".to_string(), |found| found.message.clone()))
        }
    }
}
