//! Reading the keys of a call, and collecting the words of its command.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use library::Library;
use tournament::spec_text::{At, Entry, Form, Reading};

use crate::spec;

/// Reads keys, and records each given one as a flag with its value. Missing or wrong values are filed as
/// complaints and replaced by a placeholder, so that all mistakes are found.
pub(super) struct Keys<'k, 'f> {
    form: &'k Form<'f>,
    folder: &'k Path,
    library: &'k Library,
    reading: &'k Reading,
    /// The keys that were asked for.
    known: Vec<&'static str>,
    words: Vec<String>,
}

impl<'k, 'f> Keys<'k, 'f> {
    pub fn new(
        kind: &str,
        form: &'k Form<'f>,
        folder: &'k Path,
        library: &'k Library,
        reading: &'k Reading,
    ) -> Keys<'k, 'f> {
        let (known, words) = (vec!["name", "kind", "quick"], vec![kind.to_string()]);
        Keys { form, folder, library, reading, known, words }
    }

    /// Returns the words of the command. Files a complaint about every key that was not asked for.
    pub fn finish(self) -> Vec<String> {
        self.form.only(&self.known);
        self.words
    }

    /// Files a complaint about the value of a key.
    pub fn complain(&self, key: &str, text: &str) {
        if let Some(entry) = self.form.entry(key) {
            self.reading.complain(&entry.span(), text);
        }
    }

    /// Adds a word that does not come from a key.
    pub fn word(&mut self, word: &str) {
        self.words.push(word.to_string());
    }

    /// Reads the game. Its name becomes a word without a flag.
    pub fn game(&mut self) -> String {
        self.known.push("game");
        let named = self.form.needed("game", "\"tic_tac_toe\"");
        named.map_or_else(String::new, |named| self.found(named))
    }

    /// Reads the games, which may be omitted.
    pub fn games(&mut self) -> Vec<String> {
        self.list("games").into_iter().map(|named| self.found(named)).collect()
    }

    /// Reads the player. Its spec becomes a word without a flag.
    pub fn player(&mut self) -> String {
        self.known.push("player");
        let named = self.form.needed("player", "\"random\"");
        named.map_or_else(String::new, |named| self.checked(named, cast::check))
    }

    /// Reads the players, each of which may be remote.
    pub fn players(&mut self) -> Vec<String> {
        if self.form.entry("players").is_none() {
            self.form.missing("players", "[\"random\", \"random\"]");
        }
        let check = |spec: &str| cast::is_counted(spec).map(|_| ());
        self.list("players").into_iter().map(|named| self.checked(named, check)).collect()
    }

    /// Reads the reasoner.
    pub fn reasoner(&mut self) -> String {
        self.known.push("reasoner");
        let named = self.form.text("reasoner");
        if let Some(named) = &named {
            self.say("reasoner", &named.value);
        }
        spec::reasoner(named, self.reading)
    }

    /// Reads a text.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        let found = self.form.text(key)?.value;
        self.say(key, &found);
        Some(found)
    }

    /// Reads a text that must be present.
    pub fn needed(&mut self, key: &'static str, example: &str) -> String {
        if self.form.entry(key).is_none() {
            self.form.missing(key, example);
        }
        self.text(key).unwrap_or_default()
    }

    /// Reads one of several words; the first is the default.
    pub fn choice(&mut self, key: &'static str, words: &[&'static str]) -> &'static str {
        self.known.push(key);
        let found = self.form.choice(key, words);
        if let Some(found) = &found {
            self.say(key, found.value);
        }
        found.map_or(words[0], |found| found.value)
    }

    /// Reads a list of texts, with a flag for each.
    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        let found: Vec<String> = self.list(key).into_iter().map(|text| text.value).collect();
        found.iter().for_each(|text| self.say(key, text));
        found
    }

    /// Reads a whole number, if it is given.
    pub fn given(&mut self, key: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        self.known.push(key);
        let found = self.form.number(key, range)?.value;
        self.say(key, &found.to_string());
        Some(found)
    }

    /// Reads a whole number with a default.
    pub fn number(&mut self, key: &'static str, range: RangeInclusive<u64>, usual: u64) -> u64 {
        self.given(key, range).unwrap_or(usual)
    }

    /// Reads a whole number that must be present.
    pub fn needed_number(&mut self, key: &'static str, example: &str, range: RangeInclusive<u64>) -> u64 {
        if self.form.entry(key).is_none() {
            self.form.missing(key, example);
        }
        self.number(key, range.clone(), *range.start())
    }

    /// Reads a number of things, at least `least`.
    pub fn size(&mut self, key: &'static str, least: u64, usual: usize) -> usize {
        self.number(key, least..=u64::MAX, usual as u64) as usize
    }

    /// Reads whole seconds.
    pub fn seconds(&mut self, key: &'static str, usual: Duration) -> Duration {
        self.given(key, 0..=1_000_000_000).map_or(usual, Duration::from_secs)
    }

    /// Reads seconds, which may be fractional.
    pub fn clock(&mut self, key: &'static str, usual: Duration) -> Duration {
        Duration::from_secs_f64(self.real(key, 0.0..=1e9, usual.as_secs_f64()))
    }

    /// Reads a number.
    pub fn real(&mut self, key: &'static str, range: RangeInclusive<f64>, usual: f64) -> f64 {
        self.known.push(key);
        let Some(found) = self.form.real(key, range) else { return usual };
        self.say(key, &found.value.to_string());
        found.value
    }

    /// Reads a list of whole numbers of at least `least`, all in one flag.
    pub fn numbers(&mut self, key: &'static str, least: u64) -> Vec<u64> {
        self.known.push(key);
        let list = self.form.list(key).unwrap_or_default();
        let number = |entry: &Entry<'_>| entry.number(key, least..=u64::MAX);
        let found: Vec<u64> = list.iter().filter_map(number).map(|found| found.value).collect();
        if !found.is_empty() {
            let texts: Vec<String> = found.iter().map(u64::to_string).collect();
            self.say(key, &texts.join(","));
        }
        found
    }

    /// Reads a Boolean; a flag without a value.
    pub fn flag(&mut self, key: &'static str) -> bool {
        self.known.push(key);
        let is_set = self.form.flag(key).is_some_and(|found| found.value);
        if is_set {
            self.words.push(flag(key));
        }
        is_set
    }

    fn list(&mut self, key: &'static str) -> Vec<At<String>> {
        self.known.push(key);
        let list = self.form.list(key).unwrap_or_default();
        list.iter().filter_map(|entry| entry.text(key)).collect()
    }

    /// Looks up a game.
    fn found(&mut self, named: At<String>) -> String {
        self.words.push(named.value.clone());
        spec::game(named, self.folder, self.library, self.reading)
    }

    /// Checks a player's spec.
    fn checked<E: std::fmt::Display>(
        &mut self,
        named: At<String>,
        check: impl Fn(&str) -> Result<(), E>,
    ) -> String {
        self.words.push(named.value.clone());
        if let Err(error) = check(&named.value) {
            self.reading.complain(&named.span, error.to_string());
        }
        named.value
    }

    fn say(&mut self, key: &str, value: &str) {
        self.words.extend([flag(key), value.to_string()]);
    }
}

/// Returns the flag of a key.
fn flag(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}
