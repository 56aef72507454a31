//! Counters for `/metrics`, in the text format that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper ends of the classes of durations, in milliseconds.
const CLASSES: [u64; 8] = [1, 5, 20, 50, 100, 500, 2_000, 10_000];

/// What is counted.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 5],
    durations: [AtomicU64; CLASSES.len() + 1],
    microseconds: AtomicU64,
    /// Matches that were asked for.
    pub(crate) matches: AtomicU64,
    /// Events told to those who watch and play.
    pub(crate) events: AtomicU64,
    /// Moves that came over sockets.
    pub(crate) moves: AtomicU64,
    /// Requests that were refused because a client sent too many.
    pub(crate) refused: AtomicU64,
    /// Those who watch, at this moment.
    pub(crate) streams: AtomicU64,
    /// Sockets, at this moment.
    pub(crate) sockets: AtomicU64,
}

/// Counts up.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Metrics {
    /// One request was answered.
    pub(crate) fn answered(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        count(&self.answers[class]);
        let milliseconds = took.as_millis() as u64;
        let at = CLASSES.iter().position(|&end| milliseconds < end).unwrap_or(CLASSES.len());
        count(&self.durations[at]);
        self.microseconds.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
    }

    /// As text.
    pub(crate) fn text(&self, live: usize) -> String {
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut text = String::new();
        let mut say = |line: String| {
            let _ = writeln!(text, "{line}");
        };
        say("# HELP tafl_requests_total Requests by class of status.\n# TYPE tafl_requests_total counter"
            .to_string());
        for (at, counter) in self.answers.iter().enumerate() {
            say(format!("tafl_requests_total{{status=\"{}xx\"}} {}", at + 1, value(counter)));
        }
        say("# HELP tafl_request_seconds How long requests took.\n# TYPE tafl_request_seconds histogram"
            .to_string());
        let mut sum = 0;
        for (end, counter) in CLASSES.iter().zip(&self.durations) {
            sum += value(counter);
            say(format!("tafl_request_seconds_bucket{{le=\"{}\"}} {sum}", *end as f64 / 1000.0));
        }
        sum += value(&self.durations[CLASSES.len()]);
        say(format!("tafl_request_seconds_bucket{{le=\"+Inf\"}} {sum}"));
        say(format!("tafl_request_seconds_sum {}", value(&self.microseconds) as f64 / 1e6));
        say(format!("tafl_request_seconds_count {sum}"));
        let counters = [
            ("tafl_matches_total", "counter", "Matches that were asked for.", value(&self.matches)),
            ("tafl_events_total", "counter", "Events told to watchers and players.", value(&self.events)),
            ("tafl_moves_total", "counter", "Moves that came over sockets.", value(&self.moves)),
            ("tafl_refused_total", "counter", "Requests over the rate of one client.", value(&self.refused)),
            ("tafl_streams", "gauge", "Open event streams.", value(&self.streams)),
            ("tafl_sockets", "gauge", "Open sockets.", value(&self.sockets)),
            ("tafl_matches_live", "gauge", "Matches under way.", live as u64),
        ];
        for (name, kind, help, value) in counters {
            say(format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"));
        }
        text
    }
}
