//! Measurements for people.

use std::io::{self, Write};

use tafl::analysis::bench::{Measured, ResultShare};

use crate::screen::{FAINT, STRONG, counted, grouped, wrapped};

/// The maximum number of different results that are shown.
const SHOWN: usize = 8;

pub(super) fn write(out: &mut impl Write, measured: &Measured) -> io::Result<()> {
    let Measured { game, reasoner, why, threads, seed, .. } = measured;
    let threads = counted(*threads as u64, "thread");
    let title = format!("{STRONG}{game}{STRONG:#}, reasoner {reasoner} ({why}), {threads}, seed {seed}");
    out.write_all(wrapped(title.split(' '), 0).as_bytes())?;
    if measured.one_by_one {
        writeln!(out, "  one state at a time")?;
    }
    rates(out, "wall", measured.states_per_second, measured.playouts_per_second)?;
    if let (Some(states), Some(playouts)) = (measured.states_per_cpu_second, measured.playouts_per_cpu_second)
    {
        rates(out, "CPU", states, playouts)?;
    }
    let playouts = counted(measured.playouts, "playout");
    let length = measured.mean_length.map_or(String::new(), |length| format!(" of mean length {length:.2}"));
    writeln!(out, "  {playouts}{length} in {:.2} s", measured.wall_seconds)?;
    for result in measured.results.iter().take(SHOWN) {
        let share = format!("  {:>9.4} %  {}", result.share * 100.0, outcome(result));
        writeln!(out, "{}", share.trim_end())?;
    }
    let rest = measured.results.iter().skip(SHOWN);
    let (kinds, count) = rest.fold((0u64, 0), |(kinds, count), result| (kinds + 1, count + result.count));
    if kinds > 0 {
        let share = count as f64 / measured.playouts as f64 * 100.0;
        writeln!(out, "  {share:>9.4} %  {}", counted(kinds, "other result"))?;
    }
    let start = &measured.start_up;
    let mut parts = vec![format!("read {}", time(start.read))];
    for (name, part) in [("ground", start.ground), ("circuit", start.circuit), ("compile", start.compile)] {
        parts.extend(part.map(|part| format!("{name} {}", time(part))));
    }
    let line = format!("start-up {}: {}", time(start.total), parts.join(", "));
    out.write_all(wrapped(line.split(' '), 2).as_bytes())?;
    if let Some(size) = &measured.circuit {
        let line = format!(
            "{} fluents, {} moves, {} atoms, {} instances, {}; {} per step, {} games per block, {}",
            grouped(size.fluents as u64),
            grouped(size.moves as u64),
            grouped(size.atoms as u64),
            grouped(size.instances as u64),
            counted(size.gates as u64, "gate"),
            counted(size.operations as u64, "operation"),
            size.games_per_block,
            counted(size.phases.max(1) as u64, "phase"),
        );
        out.write_all(wrapped(line.split(' '), 2).as_bytes())?;
    }
    if let Some(bytes) = measured.peak_memory {
        writeln!(out, "  {FAINT}memory{FAINT:#} {:.1} MiB at most", bytes as f64 / 1_048_576.0)?;
    }
    Ok(())
}

fn rates(out: &mut impl Write, kind: &str, states: f64, playouts: f64) -> io::Result<()> {
    writeln!(out, "  {:>9} states/s {:>9} playouts/s  per {kind} second", rate(states), rate(playouts))
}

/// Formats a rate with three or four digits: 183.2 M, 12.1 k, 7.40.
pub(super) fn rate(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 999_950.0 => (v / 1e6, " M"),
        v if v >= 999.95 => (v / 1e3, " k"),
        v => (v, ""),
    };
    if value < 10.0 { format!("{value:.2}{unit}") } else { format!("{value:.1}{unit}") }
}

/// Formats a time with up to three digits and a unit.
pub(in crate::commands) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 9.995 => format!("{s:.1} s"),
        s if s >= 0.9995 => format!("{s:.2} s"),
        s if s >= 0.009995 => format!("{:.0} ms", s * 1e3),
        s => format!("{:.2} ms", s * 1e3),
    }
}

fn outcome(result: &ResultShare) -> String {
    let goal = |goal: &Option<_>| goal.map_or("-".to_string(), |g: tafl::game::Goal| g.to_string());
    let goals: Vec<String> = result.goals.iter().map(goal).collect();
    match result.end {
        "goals" => format!("goals {}", goals.join(" ")),
        "no goal" => format!("terminal, but not every role has one goal: {}", goals.join(" ")),
        "dead end" => "dead end: a role has no legal move".to_string(),
        _ => "cut off".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_times_are_short() {
        assert_eq!(
            [0.5, 12.0, 999.96, 12_345.0, 2.5e8].map(rate),
            ["0.50", "12.0", "1.00 k", "12.3 k", "250.0 M"]
        );
        assert_eq!([0.00012, 0.0123, 1.5, 12.3].map(time), ["0.12 ms", "12 ms", "1.50 s", "12.3 s"]);
    }
}
