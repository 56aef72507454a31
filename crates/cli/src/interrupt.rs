//! Ctrl-C and its relatives.
//!
//! The first one raises a token, so that whatever runs can come to a good end;
//! the second one ends the program at once.

use std::sync::OnceLock;

use game::StopToken;

use crate::Verdict;

static TOKEN: OnceLock<StopToken> = OnceLock::new();

/// What is raised when the program is asked to end. Asking for it is what makes
/// the program wait for its end in place of dying.
pub(crate) fn token() -> StopToken {
    let first = TOKEN.get().is_none();
    let token = TOKEN.get_or_init(StopToken::default).clone();
    if first {
        let raised = token.clone();
        // Without a handler the program just ends, as programs do.
        let _ = ctrlc::set_handler(move || {
            if raised.is_stopped() {
                std::process::exit(130);
            }
            raised.stop();
        });
    }
    token
}

/// What to make of a command that carries on until it is done: bad where it was interrupted.
pub(crate) fn verdict() -> Verdict {
    match TOKEN.get() {
        Some(token) if token.is_stopped() => Verdict::Bad,
        _ => Verdict::Good,
    }
}
