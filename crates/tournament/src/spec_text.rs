//! Files that people write (tournaments, experiments), read with every mistake
//! told at its place.
//!
//! A [`Form`] is a table of such a file. Asking it for a value that is of
//! another kind, out of range or missing files a complaint and goes on, so that
//! all mistakes are told at once. Keys that nobody knows are mistakes too.

use std::cell::RefCell;
use std::fmt;
use std::ops::{Range, RangeInclusive};

use gdl::LineIndex;
use library::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// The bytes of the file that it is read from.
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
    /// All mistakes, in the order of the file.
    pub complaints: Vec<Complaint>,
}

impl BadSpec {
    /// Line and column of a complaint, from 1 on.
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

/// A file as it is read, and what is wrong with it so far.
pub struct Reading {
    place: String,
    source: String,
    complaints: RefCell<Vec<Complaint>>,
}

impl Reading {
    /// Begins to read the text of a file; `place` is what complaints call it.
    pub fn new(place: &str, source: &str) -> Reading {
        let (place, source) = (place.to_string(), source.to_string());
        Reading { place, source, complaints: RefCell::default() }
    }

    /// Files a complaint.
    pub fn complain(&self, span: &Range<usize>, text: impl Into<String>) {
        self.complaints.borrow_mut().push(Complaint { span: span.clone(), text: text.into() });
    }

    /// The whole file, if it can be read at all.
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

    /// Whether something is wrong at this place.
    pub fn is_bad_at(&self, span: &Range<usize>) -> bool {
        self.complaints.borrow().iter().any(|complaint| complaint.span == *span)
    }

    /// Whether anything is wrong.
    pub fn is_bad(&self) -> bool {
        !self.complaints.borrow().is_empty()
    }

    /// What came of it: the value, unless there are complaints.
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
    /// Where it stands.
    pub span: Range<usize>,
    table: &'a DeTable<'a>,
    /// Where values are looked for first.
    over: Option<&'a DeTable<'a>>,
    reading: &'a Reading,
}

/// A value of any kind.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    value: &'a Spanned<DeValue<'a>>,
    reading: &'a Reading,
}

impl<'a> Form<'a> {
    /// The whole file as a table.
    pub fn new(table: &'a Spanned<DeTable<'a>>, reading: &'a Reading) -> Form<'a> {
        Form { span: table.span(), table: table.get_ref(), over: None, reading }
    }

    /// The same table with the values of another in front of its own.
    pub fn under(&self, other: &Form<'a>) -> Form<'a> {
        let (table, reading) = (self.table, self.reading);
        Form { span: self.span.clone(), table, over: Some(other.table), reading }
    }

    /// The value of a key, of any kind; none if the key is not there.
    pub fn entry(&self, key: &str) -> Option<Entry<'a>> {
        let tables = self.over.into_iter().chain([self.table]);
        let found = tables.flatten().find(|(name, _)| name.get_ref() == key);
        found.map(|(_, value)| Entry { value, reading: self.reading })
    }

    /// Complains of keys that are not among these.
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

    /// Complains that a key is missing.
    pub fn missing(&self, key: &str, example: &str) {
        let span = self.span.start..self.span.start;
        self.reading.complain(&span, format!("`{key}` is missing, for example {key} = {example}."));
    }

    /// A text; none of a key that is not there.
    pub fn text(&self, key: &str) -> Option<At<String>> {
        self.entry(key)?.text(key)
    }

    /// A text that must be there.
    pub fn needed(&self, key: &str, example: &str) -> Option<At<String>> {
        if self.entry(key).is_none() {
            self.missing(key, example);
        }
        self.text(key)
    }

    /// A whole number within a range; none of a key that is not there.
    pub fn number(&self, key: &str, range: RangeInclusive<u64>) -> Option<At<u64>> {
        self.entry(key)?.number(key, range)
    }

    /// A number within a range; none of a key that is not there.
    pub fn real(&self, key: &str, range: RangeInclusive<f64>) -> Option<At<f64>> {
        self.entry(key)?.real(key, range)
    }

    /// True or false; none of a key that is not there.
    pub fn flag(&self, key: &str) -> Option<At<bool>> {
        let entry = self.entry(key)?;
        let found = entry.value.get_ref().as_bool();
        entry.or_complain(found, key, "true or false")
    }

    /// One of several words.
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

    /// The values of a list; none of a key that is not there.
    pub fn list(&self, key: &str) -> Option<Vec<Entry<'a>>> {
        self.entry(key)?.list(key)
    }

    /// A table within this one; none of a key that is not there.
    pub fn form(&self, key: &str) -> Option<Form<'a>> {
        self.entry(key)?.form(key)
    }

    /// The tables of a list.
    pub fn forms(&self, key: &str) -> Vec<Form<'a>> {
        self.list(key).unwrap_or_default().into_iter().filter_map(|entry| entry.form(key)).collect()
    }
}

impl<'a> Entry<'a> {
    /// Where the value stands.
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// Whether it is a table.
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

    /// As a text; complains where it is something else.
    pub fn text(&self, key: &str) -> Option<At<String>> {
        self.or_complain(self.value.get_ref().as_str().map(String::from), key, "a text in quotes")
    }

    /// As a whole number within a range; complains where it is something else.
    pub fn number(&self, key: &str, range: RangeInclusive<u64>) -> Option<At<u64>> {
        let whole = self.value.get_ref().as_integer();
        let parsed = whole.and_then(|whole| u64::from_str_radix(whole.as_str(), whole.radix()).ok());
        let wanted = match *range.end() {
            u64::MAX => format!("a whole number from {} on", range.start()),
            end => format!("a whole number from {} to {end}", range.start()),
        };
        self.or_complain(parsed.filter(|value| range.contains(value)), key, &wanted)
    }

    /// As a number within a range; complains where it is something else.
    pub fn real(&self, key: &str, range: RangeInclusive<f64>) -> Option<At<f64>> {
        let parsed = match self.value.get_ref() {
            DeValue::Integer(whole) => whole.as_str().parse().ok(),
            DeValue::Float(real) => real.as_str().parse().ok(),
            _ => None,
        };
        let wanted = format!("a number from {} to {}", range.start(), range.end());
        self.or_complain(parsed.filter(|value: &f64| range.contains(value)), key, &wanted)
    }

    /// As a list; complains where it is something else.
    pub fn list(&self, key: &str) -> Option<Vec<Entry<'a>>> {
        let reading = self.reading;
        let found = self.value.get_ref().as_array();
        let list = found.map(|list| list.iter().map(|value| Entry { value, reading }).collect());
        self.or_complain(list, key, "a list in brackets").map(|list| list.value)
    }

    /// As a table; complains where it is something else.
    pub fn form(&self, key: &str) -> Option<Form<'a>> {
        let table = self.or_complain(self.value.get_ref().as_table(), key, "a table")?;
        Some(Form { span: self.span(), table: table.value, over: None, reading: self.reading })
    }
}
