//! The verdict on an answer: a text, or what is wrong with it.

use game::Thought;

use crate::chair::Answer;
use crate::record::Fault;

/// The maximum length of a move.
const LONGEST: usize = 64 << 10;
/// The number of characters kept of a text that is not a move.
const KEPT: usize = 200;
/// The size limit of a thought, in bytes of all its texts together.
const THOUGHT: usize = 64 << 10;

/// Why an answer does not count.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// `IL move`, `TO` or `CE`.
    pub code: String,
    /// A description.
    pub text: String,
}

impl Wrong {
    pub(crate) fn gone() -> Wrong {
        Wrong { code: "CE".to_string(), text: "the player is no longer running".to_string() }
    }

    pub(crate) fn illegal(answer: &str, role: &str) -> Wrong {
        let answer = clip(answer, KEPT);
        let text = match answer.as_str() {
            "" => "the answer is empty".to_string(),
            "nil" | "NIL" | "busy" | "BUSY" => format!("the player answered `{answer}` instead of a move"),
            _ => format!("`{answer}` is not a legal move of {role}"),
        };
        Wrong { code: format!("IL {answer}").trim_end().to_string(), text }
    }

    pub(crate) fn fault(&self, step: usize, role: &str) -> Fault {
        Fault { step, role: role.to_string(), code: self.code.clone(), text: self.text.clone() }
    }
}

/// Returns the answer of a seat with its thought, or what is wrong with it.
pub(crate) fn judge(answer: Answer) -> Result<(String, Thought<String>), Wrong> {
    let error = |code: &str, text: String| Err(Wrong { code: code.to_string(), text: clip(&text, KEPT) });
    match answer {
        Answer::Done(text, _) if text.len() > LONGEST => {
            let begin = clip(&text, KEPT);
            error(&format!("IL {begin}"), format!("the answer is too long: {} bytes", text.len()))
        }
        Answer::Done(text, thought) => Ok((text, bounded(*thought))),
        // A seat that gives up because its time is over is late.
        Answer::Failed(game::Fault::Stopped) => error("TO", "no answer in time".to_string()),
        Answer::Failed(fault) => error("CE", fault.to_string()),
        Answer::Panicked(text) => error("CE", format!("the player panicked: {text}")),
        Answer::Late => error("TO", "no answer in time".to_string()),
        Answer::Gone => error("CE", "the player is no longer running".to_string()),
    }
}

fn bounded(mut thought: Thought<String>) -> Thought<String> {
    let mut length = 0;
    let mut fits = |more: usize| {
        length += more;
        length <= THOUGHT
    };
    thought.strategy.take_if(|text| !fits(text.len()));
    thought.moves.retain(|of| fits(of.mv.len()));
    thought.line.retain(|(_, mv)| fits(mv.len()));
    thought.notes.retain(|(name, text)| fits(name.len() + text.len()));
    thought
}

/// Returns the beginning of a text, on one line.
pub(crate) fn clip(text: &str, longest: usize) -> String {
    let mut kept: String = text.chars().take(longest).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}
