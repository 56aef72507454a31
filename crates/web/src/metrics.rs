//! Metrics for `/metrics`, in the Prometheus text format.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the duration buckets, in milliseconds.
const CLASSES: [u64; 8] = [1, 5, 20, 50, 100, 500, 2_000, 10_000];

/// The metrics of the service.
#[derive(Default)]
pub(crate) struct Metrics {
    /// The number of responses by the first digit of their status.
    answers: [AtomicU64; 5],
    durations: [AtomicU64; CLASSES.len() + 1],
    microseconds: AtomicU64,
    /// The number of matches created.
    pub(crate) matches: AtomicU64,
    /// The number of events sent to spectators and players.
    pub(crate) events: AtomicU64,
    /// The number of moves received over sockets.
    pub(crate) moves: AtomicU64,
    /// The number of requests refused because a client sent too many.
    pub(crate) refused: AtomicU64,
    /// The number of open event streams.
    pub(crate) streams: AtomicU64,
    /// The number of open sockets.
    pub(crate) sockets: AtomicU64,
}

/// Increments a counter.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Metrics {
    /// Records a response.
    pub(crate) fn answered(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        count(&self.answers[class]);
        let milliseconds = took.as_millis() as u64;
        let at = CLASSES.iter().position(|&end| milliseconds < end).unwrap_or(CLASSES.len());
        count(&self.durations[at]);
        self.microseconds.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
    }

    /// Returns the metrics as text.
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
            ("tafl_matches_total", "counter", "Matches created.", value(&self.matches)),
            ("tafl_events_total", "counter", "Events sent to spectators and players.", value(&self.events)),
            ("tafl_moves_total", "counter", "Moves received over sockets.", value(&self.moves)),
            ("tafl_refused_total", "counter", "Requests refused by the rate limit.", value(&self.refused)),
            ("tafl_streams", "gauge", "Open event streams.", value(&self.streams)),
            ("tafl_sockets", "gauge", "Open sockets.", value(&self.sockets)),
            ("tafl_matches_live", "gauge", "Open matches.", live as u64),
        ];
        for (name, kind, help, value) in counters {
            say(format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"));
        }
        text
    }
}
