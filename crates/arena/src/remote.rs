//! A remote player, as a seat.
//!
//! Each message is a connection of its own. The seat waits for an answer as long as the referee does, reads a
//! bounded number of bytes, and translates names in both directions.

use std::time::{Duration, Instant};

use game::{Deadline, Fault, Goal, MatchContext, Role, Seat, Seed, StopToken, Thought, Turn};
use gdl::Syntax;

use crate::wire::http::{HttpError, Patience, exchange};
use crate::wire::{Dialect, Message, News, Node, Presence, Scrambler, read_move, read_presence};

/// The maximum size of a reply in bytes.
const MAX_REPLY: usize = 1 << 20;
/// The maximum time for the answer to `INFO`.
const INFO_CLOCK: Duration = Duration::from_secs(1);
/// How long after its deadline a message is waited for if nobody stops the waiting.
const LONGEST_GRACE: Duration = Duration::from_secs(60);
/// The rule added for a player of games with hidden information if the rules hide nothing: everyone sees what
/// everyone did.
const SEES_ALL: &str = "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))";

/// The address of a remote player, and how to communicate with it.
#[derive(Debug, Clone)]
pub struct Address {
    /// `host:port`.
    pub place: String,
    /// Its name in the messages.
    pub name: String,
    /// The dialect of the messages.
    pub dialect: Dialect,
    /// Whether names are scrambled.
    pub scrambled: bool,
}

/// A text that is not the address of a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an address such as http://localhost:9147.")]
pub struct AddressError(pub String);

/// Why a player did not say what it is.
#[derive(Debug, thiserror::Error)]
pub enum InfoError {
    /// There was no answer.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The answer cannot be read.
    #[error("its answer `{0}` cannot be understood")]
    Answer(String),
}

impl Address {
    /// The place that `http://host:port` names. Without a port it is 9147.
    pub fn parse(url: &str) -> Result<Address, AddressError> {
        let wrong = || AddressError(url.to_string());
        let rest = url.strip_prefix("http://").ok_or_else(wrong)?;
        let host = rest.trim_end_matches('/');
        let proper = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
        if host.is_empty() || !host.chars().all(proper) {
            return Err(wrong());
        }
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
        let place = if has_port { host.to_string() } else { format!("{host}:9147") };
        if place.rsplit_once(':').is_none_or(|(_, port)| port.parse::<u16>().is_err()) {
            return Err(wrong());
        }
        Ok(Address { name: place.clone(), place, dialect: Dialect::default(), scrambled: false })
    }

    /// Asks the player what it is and whether it is free.
    pub fn info(&self) -> Result<Presence, InfoError> {
        let message = Message::Info { ping: self.dialect == Dialect::Stanford };
        let patience = Patience {
            until: Instant::now().checked_add(INFO_CLOCK),
            stop: StopToken::default(),
            max_bytes: MAX_REPLY,
        };
        let reply = self.send(&message, &patience)?;
        read_presence(&reply).ok_or(InfoError::Answer(reply))
    }

    /// Tells the player to abort a match, in case it is still in it.
    pub fn abort(&self, match_id: &str) {
        let patience = Patience {
            until: Instant::now().checked_add(INFO_CLOCK),
            stop: StopToken::default(),
            max_bytes: MAX_REPLY,
        };
        // If it is not, there is nothing to abort.
        let _ = self.send(&Message::Abort { id: wire_id(match_id) }, &patience);
    }

    fn send(&self, message: &Message, patience: &Patience) -> Result<String, HttpError> {
        let sender = if self.dialect.always_percepts() { "Gamecontroller" } else { "GAMESERVER" };
        let reply = exchange(&self.place, sender, &self.name, &message.write(self.dialect), patience)?;
        Ok(reply.chars().filter(char::is_ascii).collect::<String>().trim().to_string())
    }
}

/// A remote player in one match.
pub struct Remote {
    address: Address,
    roles: Vec<Role>,
    /// Whether the player receives percepts instead of joint moves.
    percepts: bool,
    /// Whether the rules themselves hide nothing.
    open: bool,
    match_id: String,
    scrambler: Scrambler,
    /// The number of `PLAY` and `STOP` messages sent.
    turn: u64,
    said: Vec<(String, String)>,
}

impl Remote {
    /// Creates a seat for a game with these roles. `hides` tells whether its rules hide something.
    pub fn new(address: Address, roles: &[Role], hides: bool) -> Remote {
        Remote {
            percepts: hides || address.dialect.always_percepts(),
            open: !hides,
            address,
            roles: roles.to_vec(),
            match_id: String::new(),
            scrambler: Scrambler::default(),
            turn: 0,
            said: Vec::new(),
        }
    }

    fn send(&self, message: &Message, deadline: &Deadline) -> Result<String, Fault> {
        // The referee decides how late an answer may be, and then sets the stop token.
        let wait = deadline.remaining().and_then(|left| left.checked_add(LONGEST_GRACE));
        let until = wait.and_then(|wait| Instant::now().checked_add(wait));
        let patience = Patience { until, stop: deadline.stop_token().clone(), max_bytes: MAX_REPLY };
        match self.address.send(message, &patience) {
            Ok(reply) => Ok(reply),
            Err(HttpError::Late) => Err(Fault::Stopped),
            Err(error) => Err(Fault::Unreachable(format!("{}: {error}", self.address.place))),
        }
    }

    /// Returns the rules in the form that is sent.
    fn rules(&self, text: Option<&str>) -> Result<Vec<Node>, Fault> {
        let text = text.ok_or_else(|| {
            Fault::Unsupported("a game without a rule sheet cannot be sent to a remote player".to_string())
        })?;
        let mut sheet = gdl::parse(text, Syntax::guess(text, None)).sheet;
        sheet.comments.clear();
        sheet.blank_lines.clear();
        let extra = if self.percepts && self.open { SEES_ALL } else { "" };
        Node::read_all(&format!("{}\n{extra}", gdl::to_kif(&sheet)))
            .map_err(|error| Fault::Unsupported(format!("the rules cannot be sent: {error}")))
    }

    fn learn_names(&mut self, rules: &[Node], match_id: &str) -> Vec<Node> {
        self.scrambler = match self.address.scrambled {
            true => Scrambler::full(rules, Seed(0).derive_name(match_id)),
            false => Scrambler::plain(rules),
        };
        rules.iter().map(|rule| self.scrambler.hide(rule)).collect()
    }

    fn node(&self, text: &str) -> Node {
        let node = Node::read_all(text).ok().and_then(|nodes| nodes.into_iter().next());
        self.scrambler.hide(&node.unwrap_or_else(|| Node::Word(text.to_string())))
    }

    fn news(&mut self, last: Option<&Turn>) -> News {
        let turn = self.turn;
        self.turn += 1;
        let seen = |turn: &Turn| -> Vec<Node> {
            match &turn.joint {
                Some(joint) => {
                    let did = |(role, text): (&Role, &String)| self.node(&format!("(did {role} {text})"));
                    self.roles.iter().zip(joint).map(did).collect()
                }
                None => turn.percepts.iter().map(|text| self.node(text)).collect(),
            }
        };
        match (last, self.percepts) {
            (None, true) if self.address.dialect != Dialect::Gdl2Old => {
                News::Seen { turn, own: None, percepts: Vec::new() }
            }
            (None, _) => News::Nothing,
            (Some(last), false) => {
                let joint = last.joint.as_deref().unwrap_or_default();
                News::List(joint.iter().map(|text| self.node(text)).collect())
            }
            (Some(last), true) if self.address.dialect == Dialect::Gdl2Old => News::List(seen(last)),
            (Some(last), true) => News::Seen { turn, own: Some(self.node(&last.own)), percepts: seen(last) },
        }
    }
}

impl Seat for Remote {
    fn preview(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let rules = self.rules(context.rules.as_deref())?;
        let rules = self.learn_names(&rules, &context.match_id);
        let clock = deadline.remaining().map_or(0, |left| left.as_secs_f64().round() as u64);
        self.send(&Message::Preview { rules, clock }, deadline).map(|_| ())
    }

    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let rules = self.rules(context.rules.as_deref())?;
        let rules = self.learn_names(&rules, &context.match_id);
        self.match_id = wire_id(&context.match_id);
        self.turn = 0;
        let message = Message::Start {
            id: self.match_id.clone(),
            role: self.scrambler.hide_word(&self.roles[context.role.index()]),
            rules,
            start_clock: whole(context.start_clock),
            play_clock: whole(context.play_clock),
        };
        let reply = self.send(&message, deadline)?;
        if reply.eq_ignore_ascii_case("busy") || reply.eq_ignore_ascii_case("nil") {
            return Err(Fault::Unreachable(format!(
                "{} answered `{reply}` to the start message",
                self.address.place
            )));
        }
        Ok(())
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        let message = Message::Play { id: self.match_id.clone(), news: self.news(last) };
        self.said.clear();
        let reply = self.send(&message, deadline)?;
        let Some((answer, said)) = read_move(&reply) else { return Ok(reply) };
        self.said = said;
        Ok(match self.scrambler.reveal(&answer) {
            // `(noop)` is the move `noop`.
            Node::List(nodes) if nodes.len() == 1 && nodes[0].word().is_some() => nodes[0].compact(),
            node => node.compact(),
        })
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        let id = self.match_id.clone();
        if id.is_empty() {
            return;
        }
        let (message, clock) = match goals {
            Some(_) => (Message::Stop { id, news: self.news(last) }, Duration::from_secs(2)),
            None => (Message::Abort { id }, INFO_CLOCK),
        };
        // The match is over whether or not the player receives this.
        let _ = self.send(&message, &Deadline::after(clock));
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn thought(&self) -> Thought<String> {
        Thought { notes: self.said.clone(), ..Thought::default() }
    }
}

/// Returns a clock in whole seconds, as on the wire.
fn whole(clock: Duration) -> u64 {
    clock.as_secs_f64().ceil() as u64
}

/// Returns the name of a match as a word of the protocol.
fn wire_id(id: &str) -> String {
    let proper = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let word: String = id.chars().map(|c| if proper(c) { c } else { '_' }).collect();
    if word.is_empty() { "match".to_string() } else { word }
}
