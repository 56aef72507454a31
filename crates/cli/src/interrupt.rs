//! Handling of Ctrl-C.
//!
//! The first signal raises a token, so that a run can finish cleanly; the second one ends the program
//! at once.

use std::sync::OnceLock;

use tafl::game::StopToken;

use crate::Verdict;

static TOKEN: OnceLock<StopToken> = OnceLock::new();

/// Returns the token that is raised when the program should end. Calling this installs the handler;
/// without it, Ctrl-C ends the program at once.
pub(crate) fn token() -> StopToken {
    let first = TOKEN.get().is_none();
    let token = TOKEN.get_or_init(StopToken::default).clone();
    if first {
        let raised = token.clone();
        // If no handler can be installed, Ctrl-C ends the program at once.
        let _ = ctrlc::set_handler(move || {
            if raised.is_stopped() {
                std::process::exit(130);
            }
            raised.stop();
        });
    }
    token
}

/// Returns the verdict of a command that runs until it is done: bad if it was interrupted.
pub(crate) fn verdict() -> Verdict {
    match TOKEN.get() {
        Some(token) if token.is_stopped() => Verdict::Bad,
        _ => Verdict::Good,
    }
}
