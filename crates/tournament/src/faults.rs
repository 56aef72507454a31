//! For whom the referee had to move, how often, and why.

use std::collections::BTreeMap;
use std::fmt;

use arena::{Ending, Fault};
use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::result::MatchResult;

/// Why a move did not count. The texts of faults differ between machines, so results hold only this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// There was no answer in time.
    Late,
    /// The answer was not a legal move.
    Illegal,
    /// The player could not be reached, or it failed.
    Failed,
}

impl Cause {
    /// Returns the cause of a fault.
    pub(crate) fn of(fault: &Fault) -> Cause {
        match fault.code.as_str() {
            "TO" => Cause::Late,
            code if code.starts_with("IL") => Cause::Illegal,
            _ => Cause::Failed,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Cause::Late => "no answer in time",
            Cause::Illegal => "not a legal move",
            Cause::Failed => "no connection, or a failure of the player",
        }
    }
}

/// The faults of one player at one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// The player.
    pub player: String,
    /// The game.
    pub game: String,
    /// The role.
    pub role: String,
    /// The number of moves that the referee made for it.
    pub replaced: u64,
    /// Why, and how often.
    pub causes: BTreeMap<Cause, u64>,
    /// The number of matches that it lost by forfeit.
    pub forfeited: u64,
    /// The reason of the first of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Returns the faults in these results, by player and seat in the order of the plan.
pub fn faults(plan: &Plan, results: &[MatchResult]) -> Vec<FaultRow> {
    let mut rows: BTreeMap<(usize, usize, usize), FaultRow> = BTreeMap::new();
    let planned = plan.matches();
    for result in results {
        let Some(planned) = planned.get(result.number as usize) else { continue };
        let cell = &plan.cells[planned.cell];
        let game = &plan.games[cell.game];
        for ((seat, player), role) in cell.seating.iter().enumerate().zip(game.seats()) {
            let role = &game.roles[role];
            let lost = match &result.ending {
                Ending::Forfeit { role: loser, reason } if loser == role => Some(reason),
                _ => None,
            };
            if lost.is_none() && result.replaced_of(seat) == 0 {
                continue;
            }
            let row = rows.entry((*player, cell.game, seat)).or_insert_with(|| FaultRow {
                player: plan.players[*player].name.clone(),
                game: game.name.clone(),
                role: role.clone(),
                replaced: 0,
                causes: BTreeMap::new(),
                forfeited: 0,
                reason: None,
            });
            row.replaced += result.replaced_of(seat);
            for (cause, times) in result.causes.get(seat).into_iter().flatten() {
                *row.causes.entry(*cause).or_default() += times;
            }
            row.forfeited += u64::from(lost.is_some());
            row.reason = row.reason.take().or_else(|| lost.cloned());
        }
    }
    rows.into_values().collect()
}

/// A list of faults as text, in parts of a sentence.
pub struct FaultsTold<'a> {
    rows: &'a [FaultRow],
    forfeits: bool,
}

impl FaultRow {
    /// Returns for whom moves were made: `2 for legal as x (no answer in time)`, ….
    pub fn replaced(rows: &[FaultRow]) -> FaultsTold<'_> {
        FaultsTold { rows, forfeits: false }
    }

    /// Returns who forfeited: `2 by legal as x (no answer in time)`, ….
    pub fn forfeited(rows: &[FaultRow]) -> FaultsTold<'_> {
        FaultsTold { rows, forfeits: true }
    }

    fn why(&self) -> String {
        let text = |(cause, times): (&Cause, &u64)| match self.causes.len() {
            1 => cause.text().to_string(),
            _ => format!("{times}: {}", cause.text()),
        };
        self.causes.iter().map(text).collect::<Vec<_>>().join("; ")
    }
}

impl FaultsTold<'_> {
    /// Returns a text for each player and seat.
    pub fn lines(&self) -> Vec<String> {
        let games = self.rows.iter().any(|row| row.game != self.rows[0].game);
        let line = |row: &FaultRow| {
            let (count, word, why) = match self.forfeits {
                true => (row.forfeited, "by", row.reason.clone().unwrap_or_default()),
                false => (row.replaced, "for", row.why()),
            };
            let of = if games { format!(" of {}", row.game) } else { String::new() };
            let why = if why.is_empty() { why } else { format!(" ({why})") };
            (count > 0).then(|| format!("{count} {word} {} as {}{of}{why}", row.player, row.role))
        };
        self.rows.iter().filter_map(line).collect()
    }
}

impl fmt::Display for FaultsTold<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.lines().join(", "))
    }
}
