//! Reading files that people write (tournaments, experiments), with every mistake reported at its place.
//!
//! A [`Form`] is a table of such a file. Asking it for a value of the wrong type, out of range or missing
//! files a complaint and goes on, so that all mistakes are reported at once. Unknown keys are mistakes too.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Range, RangeInclusive};

use gdl::LineIndex;
use library::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its place in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// The bytes that it was read from.
    pub span: Range<usize>,
}

/// One mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The bytes at fault.
    pub span: Range<usize>,
    /// What is wrong and what to do.
    pub text: String,
}

/// A file that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSpec {
    /// The file.
    pub place: String,
    /// Its text.
    pub source: String,
    /// All mistakes, in source order.
    pub complaints: Vec<Complaint>,
}

impl BadSpec {
    /// Returns the line and column of a complaint, from 1.
    pub fn position(&self, complaint: &Complaint) -> (usize, usize) {
        let position = LineIndex::new(&self.source).position(complaint.span.start);
        (position.line, position.column)
    }
}

impl std::error::Error for BadSpec {}

impl fmt::Display for BadSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = LineIndex::new(&self.source);
        for (number, complaint) in self.complaints.iter().enumerate() {
            let (begin, end) = (lines.position(complaint.span.start), lines.position(complaint.span.end));
            if number > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}:{}:{}: {}", self.place, begin.line, begin.column, complaint.text)?;
            let line: String = lines.line(begin.line).chars().take(200).collect();
            let last = if end.line == begin.line { end.column } else { line.chars().count() + 1 };
            let marks = "^".repeat(last.min(201).saturating_sub(begin.column).max(1));
            let margin = " ".repeat(begin.line.to_string().len());
            writeln!(out, "  {} | {line}", begin.line)?;
            write!(out, "  {margin} | {}{marks}", " ".repeat(begin.column.saturating_sub(1).min(200)))?;
        }
        Ok(())
    }
}

/// A file that is being read, and the mistakes found so far.
pub struct Reading {
    place: String,
    source: String,
    complaints: RefCell<Vec<Complaint>>,
}

impl Reading {
    /// Begins to read the text of a file. `place` is its name in complaints.
    pub fn new(place: &str, source: &str) -> Reading {
        let (place, source) = (place.to_string(), source.to_string());
        Reading { place, source, complaints: RefCell::default() }
    }

    /// Files a complaint.
    pub fn complain(&self, span: &Range<usize>, text: impl Into<String>) {
        self.complaints.borrow_mut().push(Complaint { span: span.clone(), text: text.into() });
    }

    /// Parses the whole file. Returns `None` if it is not TOML.
    pub fn parse(&self) -> Option<Spanned<DeTable<'_>>> {
        match DeTable::parse(&self.source) {
            Ok(table) => Some(table),
            Err(error) => {
                self.complain(
                    &error.span().unwrap_or(0..0),
                    format!("This is not TOML: {}.", error.message()),
                );
                None
            }
        }
    }

    /// Returns `true` if there is a complaint about exactly this place.
    pub fn is_bad_at(&self, span: &Range<usize>) -> bool {
        self.complaints.borrow().iter().any(|complaint| complaint.span == *span)
    }

    /// Returns `true` if there is any complaint.
    pub fn is_bad(&self) -> bool {
        !self.complaints.borrow().is_empty()
    }

    /// Returns the value, or an error if there are complaints.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, BadSpec> {
        let mut complaints = self.complaints.into_inner();
        complaints.sort_by_key(|complaint| complaint.span.start);
        complaints.dedup();
        match value {
            Some(value) if complaints.is_empty() => Ok(value),
            _ => Err(BadSpec { place: self.place, source: self.source, complaints }),
        }
    }
}

/// A table of a file.
pub struct Form<'a> {
    /// Its place in the file.
    pub span: Range<usize>,
    table: &'a DeTable<'a>,
    /// A table whose values take precedence.
    over: Option<&'a DeTable<'a>>,
    reading: &'a Reading,
}

/// A value of any type.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    value: &'a Spanned<DeValue<'a>>,
    reading: &'a Reading,
}

impl<'a> Form<'a> {
    /// Creates a form for the whole file.
    pub fn new(table: &'a Spanned<DeTable<'a>>, reading: &'a Reading) -> Form<'a> {
        Form { span: table.span(), table: table.get_ref(), over: None, reading }
    }

    /// Returns the same table, with the values of another taking precedence.
    pub fn under(&self, other: &Form<'a>) -> Form<'a> {
        let (table, reading) = (self.table, self.reading);
        Form { span: self.span.clone(), table, over: Some(other.table), reading }
    }

    /// Returns the value of a key, of any type, or `None` if the key is absent.
    pub fn entry(&self, key: &str) -> Option<Entry<'a>> {
        let tables = self.over.into_iter().chain([self.table]);
        let found = tables.flatten().find(|(name, _)| name.get_ref() == key);
        found.map(|(_, value)| Entry { value, reading: self.reading })
    }

    /// Files a complaint about every key that is not among these.
    pub fn only(&self, known: &[&str]) {
        for (name, _) in self.over.into_iter().chain([self.table]).flatten() {
            if !known.contains(&name.get_ref().as_ref()) {
                let hint = did_you_mean(name.get_ref(), known.iter().copied());
                let list = known.join(", ");
                let text = format!("`{}` is not known here.{hint} Possible: {list}.", name.get_ref());
                self.reading.complain(&name.span(), text);
            }
        }
    }

    /// Files a complaint that a key is missing.
    pub fn missing(&self, key: &str, example: &str) {
        let span = self.span.start..self.span.start;
        self.reading.complain(&span, format!("`{key}` is missing; write, for example, {key} = {example}."));
    }

    /// Returns a text, or `None` if the key is absent.
    pub fn text(&self, key: &str) -> Option<At<String>> {
        self.entry(key)?.text(key)
    }

    /// Returns a text that must be present.
    pub fn needed(&self, key: &str, example: &str) -> Option<At<String>> {
        if self.entry(key).is_none() {
            self.missing(key, example);
        }
        self.text(key)
    }

    /// Returns a whole number within a range, or `None` if the key is absent.
    pub fn number(&self, key: &str, range: RangeInclusive<u64>) -> Option<At<u64>> {
        self.entry(key)?.number(key, range)
    }

    /// Returns a number within a range, or `None` if the key is absent.
    pub fn real(&self, key: &str, range: RangeInclusive<f64>) -> Option<At<f64>> {
        self.entry(key)?.real(key, range)
    }

    /// Returns a Boolean, or `None` if the key is absent.
    pub fn flag(&self, key: &str) -> Option<At<bool>> {
        let entry = self.entry(key)?;
        let found = entry.value.get_ref().as_bool();
        entry.or_complain(found, key, "true or false")
    }

    /// Returns one of several words, or `None` if the key is absent.
    pub fn choice(&self, key: &str, words: &[&'static str]) -> Option<At<&'static str>> {
        let found = self.text(key)?;
        match words.iter().find(|word| **word == found.value) {
            Some(word) => Some(At { value: word, span: found.span }),
            None => {
                let list = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
                self.reading.complain(&found.span, format!("`{key}` must be one of {list}."));
                None
            }
        }
    }

    /// Returns the values of a list, or `None` if the key is absent.
    pub fn list(&self, key: &str) -> Option<Vec<Entry<'a>>> {
        self.entry(key)?.list(key)
    }

    /// Returns a table within this one, or `None` if the key is absent.
    pub fn form(&self, key: &str) -> Option<Form<'a>> {
        self.entry(key)?.form(key)
    }

    /// Returns the tables of a list; empty if the key is absent.
    pub fn forms(&self, key: &str) -> Vec<Form<'a>> {
        self.list(key).unwrap_or_default().into_iter().filter_map(|entry| entry.form(key)).collect()
    }
}

impl<'a> Entry<'a> {
    /// Returns the place of the value.
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// Returns `true` if it is a table.
    pub fn is_form(&self) -> bool {
        self.value.get_ref().is_table()
    }

    fn or_complain<T>(&self, found: Option<T>, key: &str, wanted: &str) -> Option<At<T>> {
        match found {
            Some(value) => Some(At { value, span: self.span() }),
            None => {
                self.reading.complain(&self.span(), format!("`{key}` must be {wanted}."));
                None
            }
        }
    }

    /// Returns the value as a text, or files a complaint.
    pub fn text(&self, key: &str) -> Option<At<String>> {
        self.or_complain(self.value.get_ref().as_str().map(String::from), key, "a text in quotes")
    }

    /// Returns the value as a whole number within a range, or files a complaint.
    pub fn number(&self, key: &str, range: RangeInclusive<u64>) -> Option<At<u64>> {
        let whole = self.value.get_ref().as_integer();
        let parsed = whole.and_then(|whole| u64::from_str_radix(whole.as_str(), whole.radix()).ok());
        let wanted = match *range.end() {
            u64::MAX => format!("a whole number of at least {}", range.start()),
            end => format!("a whole number from {} to {end}", range.start()),
        };
        self.or_complain(parsed.filter(|value| range.contains(value)), key, &wanted)
    }

    /// Returns the value as a number within a range, or files a complaint.
    pub fn real(&self, key: &str, range: RangeInclusive<f64>) -> Option<At<f64>> {
        let parsed = match self.value.get_ref() {
            DeValue::Integer(whole) => whole.as_str().parse().ok(),
            DeValue::Float(real) => real.as_str().parse().ok(),
            _ => None,
        };
        let wanted = format!("a number from {} to {}", range.start(), range.end());
        self.or_complain(parsed.filter(|value: &f64| range.contains(value)), key, &wanted)
    }

    /// Returns the value as a list, or files a complaint.
    pub fn list(&self, key: &str) -> Option<Vec<Entry<'a>>> {
        let reading = self.reading;
        let found = self.value.get_ref().as_array();
        let list = found.map(|list| list.iter().map(|value| Entry { value, reading }).collect());
        self.or_complain(list, key, "a list in brackets").map(|list| list.value)
    }

    /// Returns the value as a table, or files a complaint.
    pub fn form(&self, key: &str) -> Option<Form<'a>> {
        let table = self.or_complain(self.value.get_ref().as_table(), key, "a table")?;
        Some(Form { span: self.span(), table: table.value, over: None, reading: self.reading })
    }
}
