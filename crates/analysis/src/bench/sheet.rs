//! Benchmark of one sheet of a folder: whether it grounds, and how fast it plays.

use std::path::Path;

use library::{PlayError, read_path};
use serde::{Deserialize, Serialize};

use super::measure::{CircuitSize, StartUp, play, start};
use super::{Pace, process};

/// The columns of a table of reports.
pub const COLUMNS: [&str; 20] = [
    "sheet",
    "grounds",
    "reasoner",
    "start_up_s",
    "read_s",
    "ground_s",
    "circuit_s",
    "compile_s",
    "atoms",
    "instances",
    "fluents",
    "moves",
    "gates",
    "operations",
    "games_per_block",
    "states_per_s",
    "playouts_per_s",
    "mean_length",
    "peak_mib",
    "why",
];

/// The result for one sheet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SheetReport {
    /// The name of the file.
    pub sheet: String,
    /// Whether it became a circuit.
    pub grounds: bool,
    /// The reasoner that plays it; `None` if it cannot be played.
    pub reasoner: Option<String>,
    /// The time until the first playout.
    pub start_up: StartUp,
    /// The size of the circuit.
    pub circuit: Option<CircuitSize>,
    /// Joint moves per second of wall-clock time.
    pub states_per_second: Option<f64>,
    /// Finished playouts per second of wall-clock time.
    pub playouts_per_second: Option<f64>,
    /// The mean number of joint moves of a finished playout.
    pub mean_length: Option<f64>,
    /// The peak memory of the process, in bytes.
    pub peak_memory: Option<u64>,
    /// Why it does not ground or cannot be played.
    pub why: String,
}

impl SheetReport {
    /// Creates the report of a sheet that failed.
    pub fn failed(sheet: &Path, why: impl Into<String>) -> SheetReport {
        SheetReport { sheet: file_name(sheet), why: why.into(), ..SheetReport::default() }
    }

    /// Returns a line of comma-separated values, in the order of [`COLUMNS`].
    pub fn csv(&self) -> String {
        let size = |pick: fn(&CircuitSize) -> usize| {
            self.circuit.as_ref().map_or(String::new(), |c| pick(c).to_string())
        };
        let seconds = |time: Option<f64>| time.map_or(String::new(), |t| format!("{t:.4}"));
        let rate =
            |value: Option<f64>, digits: usize| value.map_or(String::new(), |v| format!("{v:.digits$}"));
        let played = self.reasoner.is_some();
        let fields: [String; COLUMNS.len()] = [
            quoted(&self.sheet),
            if self.grounds { "yes" } else { "no" }.to_string(),
            self.reasoner.clone().unwrap_or_default(),
            seconds(played.then_some(self.start_up.total)),
            seconds(played.then_some(self.start_up.read)),
            seconds(self.start_up.ground),
            seconds(self.start_up.circuit),
            seconds(self.start_up.compile),
            size(|c| c.atoms),
            size(|c| c.instances),
            size(|c| c.fluents),
            size(|c| c.moves),
            size(|c| c.gates),
            size(|c| c.operations),
            size(|c| c.games_per_block),
            rate(self.states_per_second, 1),
            rate(self.playouts_per_second, 3),
            rate(self.mean_length, 2),
            rate(self.peak_memory.map(|bytes| bytes as f64 / 1_048_576.0), 1),
            quoted(&self.why),
        ];
        fields.join(",")
    }
}

/// Measures one sheet. Without `circuit`, grounding is not tried.
pub fn sheet(path: &Path, circuit: bool, pace: &Pace) -> SheetReport {
    let source = match read_path(path) {
        Ok(source) => source,
        Err(error) => return SheetReport::failed(path, error.to_string()),
    };
    let reasoner = if circuit { "auto" } else { "interpreter" };
    let started = match start(source, reasoner) {
        Ok(started) => started,
        Err(error) => return SheetReport::failed(path, error.to_string()),
    };
    let grounds = started.circuit.is_some();
    let mut report = SheetReport {
        sheet: file_name(path),
        grounds,
        reasoner: Some(started.chosen.name.to_string()),
        start_up: started.start_up,
        circuit: started.circuit,
        why: if grounds { String::new() } else { started.chosen.why.clone() },
        ..SheetReport::default()
    };
    match play(&started, pace, |_| {}) {
        Ok(played) => {
            let wall = played.wall.as_secs_f64().max(1e-9);
            let playouts = played.tally.playouts;
            report.states_per_second = Some(played.states() as f64 / wall);
            report.playouts_per_second = Some(playouts as f64 / wall);
            report.mean_length = (playouts > 0).then(|| played.tally.steps as f64 / playouts as f64);
        }
        Err(PlayError::Fault { fault, .. }) => report.why = format!("while playing: {fault}"),
        Err(error) => report.why = error.to_string(),
    }
    report.peak_memory = process::peak_memory();
    report
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Returns a field, quoted if necessary, with line breaks replaced by spaces.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        let flat = field.replace(['\n', '\r'], " ").replace('"', "\"\"");
        return format!("\"{flat}\"");
    }
    field.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_all_columns_and_quotes_what_needs_it() {
        let report = SheetReport::failed(Path::new("x/a,b.kif"), "says \"no\"");
        let line = report.csv();
        assert!(line.starts_with("\"a,b.kif\",no,,"), "{line}");
        assert!(line.ends_with(",\"says \"\"no\"\"\""), "{line}");
        let plain = SheetReport::failed(Path::new("a.kif"), "broken").csv();
        assert_eq!(plain.split(',').count(), COLUMNS.len());
    }
}
