//! `cargo xtask soak first`: whether a player on the network answers from the first move on.
//!
//! Every sheet of the corpus is sent to one listening player for each role, with clocks of five seconds and
//! one second, while every core is loaded. Three steps are played. A fault in the record is an answer that was
//! late, missing or illegal. Moves that the standby made for a player that had no answer of its own are counted.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::clocks::busy;
use crate::corpus;
use crate::run::Line;
use crate::soak::{Options, files};
use crate::table::Table;

const HEAD: &str = "sheet,player,roles,faults,standby,seconds";
/// The player, and the most roles of a sheet.
const PLAYER: &str = "auto";
const MOST_ROLES: usize = 8;
const LIMIT: Duration = Duration::from_secs(120);

/// A listening player, ended when it is dropped.
struct Listener {
    child: Child,
    address: String,
}

impl Listener {
    fn start(tafl: &str) -> Result<Listener, String> {
        let mut command = Command::new(tafl);
        command.args(["player", PLAYER, "--port", "0", "--matches", "2"]).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot start {tafl}: {error}"))?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
        }
        let address = line.trim().rsplit(' ').next().unwrap_or_default().to_string();
        Ok(Listener { child, address })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays the first three steps of every sheet.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = corpus::folder().ok_or(corpus::MISSING)?;
    let tafl = options.program()?;
    let mut sheets = files(&folder.join("gdl"), &options.only)?;
    sheets.extend(files(&folder.join("gdl2"), &options.only)?);
    let listeners = (0..MOST_ROLES).map(|_| Listener::start(&tafl)).collect::<Result<Vec<_>, _>>()?;
    let mut table = Table::open("first-moves.csv", HEAD, 2);
    let mut bad = 0;
    let (played, _) = busy(|| -> Result<(), String> {
        for (name, sheet) in &sheets {
            let (roles, faults, standby, seconds) = play(&tafl, sheet, &listeners)?;
            println!("{name}: {roles} roles, {faults} faults, {standby} by the standby, {seconds:.1} s");
            bad += faults;
            let numbers = [roles, faults, standby].map(|number| number.to_string());
            let [roles, faults, standby] = &numbers;
            table.put(&[name, PLAYER, roles, faults, standby, &format!("{seconds:.1}")])?;
        }
        Ok(())
    });
    played?;
    if bad > 0 { Err(format!("{bad} answers were late or none; see above")) } else { Ok(()) }
}

/// Plays a sheet with as many players as it needs: roles, faults, moves of the standby, seconds.
fn play(tafl: &str, sheet: &Path, listeners: &[Listener]) -> Result<(usize, usize, usize, f64), String> {
    let sheet: PathBuf = sheet.to_path_buf();
    for roles in 1..=MOST_ROLES {
        let line = Line::new(tafl).word("match").word(sheet.display().to_string());
        let line = listeners[..roles].iter().fold(line, |line, listener| line.word(&listener.address));
        let line = line.word("--start-clock").word("5").word("--play-clock").word("1");
        let line = line.word("--max-steps").word("3").word("--no-store").word("--json");
        let done = line.output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))?;
        if done.out.is_empty() && done.err.contains(" needs ") {
            continue;
        }
        if done.out.is_empty() {
            return Err(format!("`{line}` said:\n{}", done.err));
        }
        let count = |text: &str| done.out.matches(text).count();
        return Ok((roles, count("\"code\": \""), count("the standby: "), done.seconds));
    }
    Err(format!("{} has more than {MOST_ROLES} roles", sheet.display()))
}
