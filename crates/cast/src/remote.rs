//! Remote players: `http://host:port`, and local players in separate processes.

use std::path::PathBuf;

use arena::wire::Dialect;
use arena::{Address, Process, Remote};
use game::{AnyGame, Game, Seat, Spec};

use crate::{PlayerError, RemoteError};

/// The usage and the meaning of each, for the list of players.
pub(crate) const LIST: [(&str, &str); 3] = [
    ("http://HOST:PORT", "a remote player that speaks the GGP protocol"),
    (
        "remote(http://HOST:PORT,dialect=NAME,scramble=yes,name=TEXT)",
        "the same with a dialect (ggp, stanford, gdl2, gdl2-2011) or with scrambled names",
    ),
    ("process(PLAYER)", "a player in a separate process, which can crash without affecting others"),
];

pub(crate) const USAGE: &str = "Usage: http://HOST:PORT or remote(http://HOST:PORT,dialect=ggp|stanford|gdl2|gdl2-2011,\
                     scramble=yes|no,name=TEXT).";

/// Returns the address of the player named by a spec, or `None` if it is not a remote one.
pub fn remote_address(spec: &str) -> Result<Option<Address>, PlayerError> {
    let spec = spec.trim();
    read_address(spec).map_err(|cause| PlayerError::Remote { spec: spec.to_string(), cause })
}

fn read_address(spec: &str) -> Result<Option<Address>, RemoteError> {
    if spec.starts_with("http://") {
        return Ok(Some(Address::parse(spec)?));
    }
    if spec.starts_with("https://") {
        return Err(RemoteError::Https);
    }
    if !spec.starts_with("remote(") {
        return Ok(None);
    }
    let parsed = Spec::parse(spec)?;
    let url = parsed.arguments.iter().find(|argument| argument.key.is_none());
    let url = url.ok_or(RemoteError::NoAddress)?;
    let mut address = Address::parse(&url.value)?;
    for argument in &parsed.arguments {
        let value = argument.value.as_str();
        match argument.key.as_deref() {
            None => {}
            Some("dialect") => {
                let unknown = || RemoteError::Dialect(value.to_string());
                address.dialect = Dialect::named(value).ok_or_else(unknown)?;
            }
            Some("scramble") => match value {
                "yes" => address.scrambled = true,
                "no" => address.scrambled = false,
                _ => return Err(RemoteError::Scramble(value.to_string())),
            },
            Some("name") => address.name = value.chars().filter(char::is_ascii_graphic).collect(),
            Some(key) => return Err(RemoteError::Parameter(key.to_string())),
        }
    }
    Ok(Some(address))
}

/// Returns `true` if messages to the player go over the wire: it is somewhere else, or in a process of its
/// own.
pub fn is_on_the_wire(spec: &str) -> bool {
    own_process(spec).is_some() || matches!(remote_address(spec), Ok(Some(_)))
}

/// Returns the inner spec of `process(…)`, the player to run in a separate process.
pub(crate) fn own_process(spec: &str) -> Option<&str> {
    spec.trim().strip_prefix("process(").and_then(|rest| rest.strip_suffix(')'))
}

/// Seats the player named by a spec if it is remote or runs in a separate process.
pub(crate) fn seat(game: &AnyGame, spec: &str) -> Result<Option<Box<dyn Seat>>, PlayerError> {
    if let Some(address) = remote_address(spec)? {
        return Ok(Some(Box::new(Remote::new(address, game.roles(), game.has_percepts()))));
    }
    let Some(inner) = own_process(spec) else { return Ok(None) };
    crate::compiled::check(inner)?;
    let words = ["player", inner, "--port", "0", "--with-parent"].map(String::from).to_vec();
    Ok(Some(Box::new(Process::new(program()?, words, game.roles(), game.has_percepts()))))
}

/// Returns the program `tafl`: this one, or the one named by `TAFL_PROGRAM`.
fn program() -> Result<PathBuf, PlayerError> {
    if let Some(path) = std::env::var_os("TAFL_PROGRAM") {
        return Ok(PathBuf::from(path));
    }
    let own = std::env::current_exe().ok().filter(|path| path.file_stem().is_some_and(|name| name == "tafl"));
    own.ok_or(PlayerError::NoProgram)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remote_players_are_named_by_address() {
        let place = |spec| remote_address(spec).unwrap().unwrap().place;
        assert_eq!(place("http://localhost:9148"), "localhost:9148");
        assert_eq!(place("http://10.0.0.1/"), "10.0.0.1:9147");
        assert_eq!(place("http://[::1]:80"), "[::1]:80");
        let full = remote_address("remote(http://a:1,dialect=gdl2,scramble=yes,name=Bob)").unwrap().unwrap();
        assert_eq!((full.dialect, full.scrambled, full.name.as_str()), (Dialect::Gdl2, true, "Bob"));
        assert!(remote_address("random").unwrap().is_none());
        for wrong in
            ["http://", "http://a:b", "https://a", "remote()", "remote(http://a,dialect=x)", "http://a b"]
        {
            assert!(
                remote_address(wrong).unwrap_err().to_string().contains("Usage: http://HOST:PORT"),
                "{wrong}"
            );
        }
    }
}
