//! The messages from a manager to a player.

use crate::wire::dialect::Dialect;
use crate::wire::node::{Node, NodeError};

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Requests name and status: `INFO`, `ping`.
    Info {
        /// Whether it was spelled `ping`, which is answered with one word.
        ping: bool,
    },
    /// Announces rules.
    Preview {
        /// The rules.
        rules: Vec<Node>,
        /// The clock in seconds.
        clock: u64,
    },
    /// Starts a match.
    Start {
        /// The name of the match.
        id: String,
        /// The role to play.
        role: String,
        /// The rules.
        rules: Vec<Node>,
        /// Seconds before the first move.
        start_clock: u64,
        /// Seconds for each move.
        play_clock: u64,
    },
    /// Reports what happened and requests a move.
    Play {
        /// The name of the match.
        id: String,
        /// What has happened.
        news: News,
    },
    /// Reports what happened; the match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// What has happened.
        news: News,
    },
    /// Aborts the match.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// What a player is told about a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Nothing has happened yet: `NIL`.
    Nothing,
    /// The joint move; in the first form of GDL-II, the percepts.
    List(Vec<Node>),
    /// GDL-II: the number of the turn, the own move and the percepts.
    Seen {
        /// The number of messages of this kind before this one.
        turn: u64,
        /// The move made by or for the player; `None` before the first.
        own: Option<Node>,
        /// The percepts.
        percepts: Vec<Node>,
    },
}

impl News {
    /// Returns `true` if no step has been made yet.
    pub fn is_first(&self) -> bool {
        matches!(self, News::Nothing | News::Seen { own: None, .. })
    }
}

/// Why a text is not a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMessage {
    /// It cannot be parsed.
    #[error("the message cannot be read: {0}")]
    Unreadable(#[from] NodeError),
    /// It is not one list.
    #[error("a message must be a single list, such as (INFO)")]
    NotOne,
    /// Its keyword is unknown.
    #[error("unknown message `{0}`")]
    Unknown(String),
    /// Something in it is missing or wrong.
    #[error("{0} has the wrong arguments")]
    Arguments(&'static str),
}

impl Message {
    /// Reads a message in any dialect.
    pub fn read(text: &str) -> Result<Message, BadMessage> {
        let nodes = Node::read_all(text)?;
        let parts = match nodes.as_slice() {
            [Node::List(parts)] => parts,
            // `info` without parentheses.
            [Node::Word(_)] => &nodes,
            _ => return Err(BadMessage::NotOne),
        };
        let head = parts.first().and_then(Node::word).ok_or(BadMessage::NotOne)?;
        let rest = &parts[1..];
        match head.to_ascii_lowercase().as_str() {
            "info" => Ok(Message::Info { ping: false }),
            "ping" => Ok(Message::Info { ping: true }),
            "preview" => match rest {
                [Node::List(rules), clock] => {
                    let clock = number(clock).ok_or(BadMessage::Arguments("PREVIEW"))?;
                    Ok(Message::Preview { rules: rules.clone(), clock })
                }
                _ => Err(BadMessage::Arguments("PREVIEW")),
            },
            "start" => start(rest).ok_or(BadMessage::Arguments("START")),
            "play" => {
                told(rest).map(|(id, news)| Message::Play { id, news }).ok_or(BadMessage::Arguments("PLAY"))
            }
            "stop" => {
                told(rest).map(|(id, news)| Message::Stop { id, news }).ok_or(BadMessage::Arguments("STOP"))
            }
            "abort" => match rest {
                [Node::Word(id), ..] => Ok(Message::Abort { id: id.clone() }),
                _ => Err(BadMessage::Arguments("ABORT")),
            },
            _ => Err(BadMessage::Unknown(head.chars().take(40).collect())),
        }
    }

    /// Writes the message in a dialect.
    pub fn write(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::Ggp => self.ggp(),
            Dialect::Stanford => self.plain(true),
            Dialect::Gdl2 | Dialect::Gdl2Old => self.plain(false),
        }
    }

    /// Writes the message with the spaces of ggp-base.
    fn ggp(&self) -> String {
        match self {
            Message::Info { .. } => "( INFO )".to_string(),
            Message::Preview { rules, clock } => format!("( PREVIEW {} {clock} )", list(rules)),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                format!("( START {id} {role} {} {start_clock} {play_clock})", list(rules))
            }
            Message::Play { id, news: News::Nothing } => format!("( PLAY {id} NIL )"),
            Message::Stop { id, news: News::Nothing } => format!("( STOP {id} NIL )"),
            Message::Play { id, news: News::List(moves) } => format!("( PLAY {id} {} )", list(moves)),
            Message::Stop { id, news: News::List(moves) } => format!("( STOP {id} {} )", list(moves)),
            Message::Abort { id } => format!("( ABORT {id} )"),
            Message::Play { .. } | Message::Stop { .. } => self.plain(false),
        }
    }

    fn plain(&self, lower: bool) -> String {
        let word = |word: &str| if lower { word.to_ascii_lowercase() } else { word.to_string() };
        let all = |nodes: &[Node]| {
            let texts: Vec<String> = nodes.iter().map(Node::compact).collect();
            format!("({})", texts.join(" "))
        };
        let news = |news: &News| match news {
            News::Nothing => word("NIL"),
            News::List(nodes) => all(nodes),
            News::Seen { turn, own: None, .. } => format!("{turn} {0} {0}", word("NIL")),
            News::Seen { turn, own: Some(own), percepts } => {
                format!("{turn} {} {}", own.compact(), all(percepts))
            }
        };
        match self {
            Message::Info { ping } => format!("({})", word(if *ping || lower { "PING" } else { "INFO" })),
            Message::Preview { rules, clock } => format!("({} {} {clock})", word("PREVIEW"), all(rules)),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                format!("({} {id} {role} {} {start_clock} {play_clock})", word("START"), all(rules))
            }
            Message::Play { id, news: told } => format!("({} {id} {})", word("PLAY"), news(told)),
            Message::Stop { id, news: told } => format!("({} {id} {})", word("STOP"), news(told)),
            Message::Abort { id } => format!("({} {id})", word("ABORT")),
        }
    }
}

/// Writes a list as ggp-base writes rules and moves: a space after each.
fn list(nodes: &[Node]) -> String {
    let all: String = nodes.iter().map(|node| format!("{} ", node.spaced())).collect();
    format!("({all})")
}

fn number(node: &Node) -> Option<u64> {
    let word = node.word()?;
    // Clocks in fractions of a second are rounded down.
    word.parse()
        .ok()
        .or_else(|| word.parse::<f64>().ok().filter(|n| n.is_finite()).map(|n| n.max(0.0) as u64))
}

fn start(rest: &[Node]) -> Option<Message> {
    match rest {
        [Node::Word(id), Node::Word(role), Node::List(rules), start_clock, play_clock, ..] => {
            Some(Message::Start {
                id: id.clone(),
                role: role.clone(),
                rules: rules.clone(),
                start_clock: number(start_clock)?,
                play_clock: number(play_clock)?,
            })
        }
        _ => None,
    }
}

fn told(rest: &[Node]) -> Option<(String, News)> {
    match rest {
        // Any word instead of the moves means that there are none.
        [Node::Word(id), Node::Word(_)] => Some((id.clone(), News::Nothing)),
        [Node::Word(id), Node::List(moves)] => Some((id.clone(), News::List(moves.clone()))),
        [Node::Word(id), turn, own, percepts] => {
            let turn = number(turn)?;
            let none = own.word().is_some_and(|word| word.eq_ignore_ascii_case("nil"));
            let percepts = match percepts {
                Node::List(percepts) => percepts.clone(),
                Node::Word(_) => Vec::new(),
            };
            let own = if none && turn == 0 { None } else { Some(own.clone()) };
            Some((id.clone(), News::Seen { turn, own, percepts }))
        }
        _ => None,
    }
}
