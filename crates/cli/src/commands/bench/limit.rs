//! `tafl bench --limit`: comparison with hand-written code.

use std::io::Write;
use std::time::Instant;

use tafl::analysis::bench::{Compared, Slices, compare};
use tafl::game::Seed;

use super::text::rate;
use super::{Bench, write_json};
use crate::arguments::Arguments;
use crate::screen::{STRONG, Screen};

pub(super) fn run(bench: &Bench, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
    let slices = Slices {
        count: bench.slices,
        time: bench.slice_seconds,
        seed: Seed(bench.seed),
        reasoner: bench.reasoner.clone(),
    };
    if !bench.json {
        let head = ("game", "ours/s", "hand/s", "ratio", "quartiles");
        writeln!(
            screen.out,
            "{:<14} {:>9} {:>9} {:>7}  {:<15} slices",
            head.0, head.1, head.2, head.3, head.4
        )?;
        screen.out.flush()?;
    }
    let mut all: Vec<Compared> = Vec::new();
    for name in bench.compared()? {
        let bar = screen.progress("{elapsed_precise} {msg}");
        let began = Instant::now();
        let compared = compare(arguments.library().find(name)?, &slices, |done| {
            if began.elapsed().as_secs() >= 2 {
                bar.set_message(format!("{name}: slice {done} of {}", slices.count));
                bar.tick();
            }
        });
        bar.finish_and_clear();
        let Some(compared) = compared? else { continue };
        if !bench.json {
            let Compared { game, ours, hand_written, ratio, .. } = &compared;
            let spread = format!("{:.3} to {:.3}", ratio.lower, ratio.upper);
            let slices = format!("{} of {:.1} s", compared.slices, compared.slice_seconds);
            let (ours, hand) = (rate(ours.median), rate(hand_written.median));
            writeln!(
                screen.out,
                "{STRONG}{game:<14}{STRONG:#} {ours:>9} {hand:>9} {:>7.3}  {spread:<15} {slices}",
                ratio.median
            )?;
            screen.out.flush()?;
        }
        all.push(compared);
    }
    if bench.json {
        return write_json(screen, &all);
    }
    let by = if all.iter().all(|c| c.per_cpu_second) { "CPU" } else { "wall" };
    Ok(writeln!(screen.out, "Joint moves per {by} second of one thread; medians over slices.")?)
}
