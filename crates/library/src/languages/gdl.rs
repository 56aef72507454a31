//! Rule sheets in GDL, in prefix (`kif`) or infix (`hrf`) syntax.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use gdl::{Diagnostic, RuleSheet, Severity, Syntax};
use reasoner::Making;
use rules::{Rules, Strictness};

use super::{Description, Language, Refusal, Wanted, language_of};
use crate::reasoners::{Chosen, Order, bounded, reasoners, uncompiled};
use crate::source::{Source, SourceError};

/// GDL in one of its syntaxes.
#[derive(Debug)]
pub(super) struct Gdl(pub(super) Syntax);

impl Language for Gdl {
    fn name(&self) -> &'static str {
        self.0.extension()
    }

    fn noun(&self) -> &'static str {
        "rule sheet"
    }

    fn extensions(&self) -> &'static [&'static str] {
        match self.0 {
            Syntax::Kif => &["kif", "gdl"],
            Syntax::Hrf => &["hrf"],
        }
    }

    /// The text may turn out to be in the other syntax.
    fn read(&self, path: &Path) -> Result<Source, SourceError> {
        let Source { name, place, .. } = Source::at(language_of(self.0), path);
        let bytes = fs::read(path).map_err(|error| SourceError::unreadable(&place, &error))?;
        let extension = path.extension().and_then(|extension| extension.to_str());
        Ok(from_bytes(name, place, extension, bytes))
    }

    fn describe(&self, source: &Source, strictness: Strictness) -> Arc<dyn Description> {
        let parsed = match &source.bytes {
            None => gdl::parse(&source.text, self.0),
            Some(bytes) => gdl::parse_bytes(bytes, self.0),
        };
        let mut diagnostics = parsed.diagnostics;
        let checked = Rules::check(&parsed.sheet, strictness);
        diagnostics.extend(checked.diagnostics);
        diagnostics.sort_by_key(|d| d.span);
        diagnostics.dedup();
        let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
        let rules = checked.rules.filter(|_| !failed).map(Arc::new);
        Arc::new(Sheet { sheet: parsed.sheet, diagnostics, rules })
    }

    fn syntax(&self) -> Option<Syntax> {
        Some(self.0)
    }

    fn wire_text(&self, source: &Source) -> Option<Arc<str>> {
        Some(Arc::clone(&source.text))
    }
}

/// Creates a rule sheet from bytes, which need not be valid UTF-8. The beginning of the text and the
/// extension of the file determine the syntax.
pub fn from_bytes(name: String, place: String, extension: Option<&str>, bytes: Vec<u8>) -> Source {
    let broken = std::str::from_utf8(&bytes).is_err();
    let (text, _) = gdl::decode(&bytes);
    let language = language_of(Syntax::guess(&text, extension));
    let text: Arc<str> = Arc::from(&*text);
    let bytes = broken.then(|| Arc::from(bytes));
    Source { text, bytes, ..Source::new(language, name, place) }
}

/// A parsed and checked sheet.
#[derive(Debug)]
struct Sheet {
    sheet: RuleSheet,
    diagnostics: Vec<Diagnostic>,
    /// `None` if there is an error.
    rules: Option<Arc<Rules>>,
}

impl Description for Sheet {
    fn play(&self, wanted: Wanted<'_>, making: &Making) -> Result<Chosen, Refusal> {
        let rules = self.rules.as_ref().ok_or(Refusal::Errors)?;
        Ok(match wanted {
            Wanted::Behind(reasoner) => {
                let order = Order { rules: Arc::clone(rules), making: making.clone() };
                reasoners().make(reasoner, &order)??
            }
            Wanted::Within(limits) => bounded(rules, limits)?,
            Wanted::AtOnce(limits) => uncompiled(rules, limits, "ready without compiling")?,
        })
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn sheet(&self) -> Option<&RuleSheet> {
        Some(&self.sheet)
    }

    fn rules(&self) -> Option<&Arc<Rules>> {
        self.rules.as_ref()
    }
}
