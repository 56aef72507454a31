//! Diagnostics below the source text they refer to.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use tafl::gdl::{Diagnostic, LineIndex, Severity, Span};

use crate::screen::WIDTH;

/// Longer lines are not drawn: they are data, not text for people.
const LONGEST_LINE: usize = 2000;

/// Draws a diagnostic below the lines it refers to.
pub(crate) fn draw(diagnostic: &Diagnostic, place: &str, lines: &LineIndex<'_>, text: &str) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let spans = || std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|label| label.span));
    let first = spans().map(|span| lines.position(span.start as usize).line).min().unwrap_or(1);
    let last = spans().map(|span| lines.position(span.end as usize).line).max().unwrap_or(1);
    let (start, end) = (lines.line_start(first), lines.line_start(last + 1));
    let mut title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let long = (first..=last).take(1000).any(|line| lines.line(line).len() > LONGEST_LINE);
    let mut group = if long {
        let position = lines.position(diagnostic.span.start as usize);
        let origin = annotate_snippets::Origin::path(place).line(position.line).char_column(position.column);
        title.element(origin)
    } else {
        let within = |span: Span| {
            let clip = |offset: u32| char_floor(text, offset as usize).clamp(start, end.max(start)) - start;
            let range = clip(span.start)..clip(span.end);
            range.start..range.end.max(range.start)
        };
        let mut snippet = Snippet::source(&text[start..end]).path(place).line_start(first);
        snippet = snippet.annotation(AnnotationKind::Primary.span(within(diagnostic.span)));
        for label in &diagnostic.labels {
            snippet = snippet
                .annotation(AnnotationKind::Context.span(within(label.span)).label(label.text.as_str()));
        }
        title = title.id(diagnostic.code);
        title.element(snippet)
    };
    if let Some(remedy) = &diagnostic.remedy {
        group = group.element(Level::HELP.message(remedy.as_str()));
    }
    Renderer::styled().term_width(WIDTH).render(&[group])
}

fn char_floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
