//! The matches of a listening player, and its answers to messages.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use game::{MatchContext, RoleId, StopToken, Turn};

use super::visitor::{Table, Visitor};
use super::{Host, Invitation, ServeOptions};
use crate::chair::{Answer, Chair, Pending};
use crate::wire::{BadMessage, Message, News, Node, Presence, Scrambler};

/// How long after the clock an answer is still sent.
const GRACE: Duration = Duration::from_millis(800);
/// The minimum clock that remains after the time for the reply is subtracted.
const LEAST: Duration = Duration::from_millis(50);
/// How long players have to process that a match is over.
const STOP_CLOCK: Duration = Duration::from_secs(2);
/// A manager that has been silent for ten moves plus this time is considered gone.
const SILENCE: Duration = Duration::from_secs(60);
/// The maximum of all clocks.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

pub(super) struct Desk {
    host: Host,
    options: ServeOptions,
    matches: Mutex<Vec<Ongoing>>,
    begun: AtomicU64,
}

/// A match in progress.
struct Ongoing {
    id: String,
    number: u64,
    chair: Arc<Chair>,
    table: Arc<OnceLock<Table>>,
    names: Arc<Scrambler>,
    play_clock: Duration,
    /// The stop token of the current request, set when the match is over; present while the player is
    /// working.
    thinking: Option<StopToken>,
    /// The news of the last request, and the number of requests.
    asked: Option<News>,
    requests: u64,
    /// News that came before the game was ready to be asked.
    missed: Vec<News>,
    /// The last move that was answered.
    own: Option<String>,
    heard: Instant,
    patience: Duration,
}

/// A player that was asked for a move.
struct Asked {
    pending: Pending,
    /// The number of the match, and that of the request in it.
    number: u64,
    request: u64,
    play_clock: Duration,
}

/// Why a player was not asked for a move.
enum Unasked {
    /// There is no such match, or the player still thinks.
    Busy,
    /// The news do not fit the match.
    Senseless,
}

impl Desk {
    pub fn new(host: Host, options: ServeOptions) -> Desk {
        Desk { host, options, matches: Mutex::default(), begun: AtomicU64::new(0) }
    }

    pub fn options(&self) -> &ServeOptions {
        &self.options
    }

    pub fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Aborts all matches.
    pub fn clear(&self) {
        self.matches().drain(..).for_each(|ongoing| ongoing.end(None));
    }

    /// Returns the answer to a message.
    pub fn answer(&self, text: &str) -> Result<String, BadMessage> {
        Ok(match Message::read(text)? {
            Message::Info { ping } => self.info(ping),
            Message::Preview { .. } => word(if self.is_free() { "ready" } else { "busy" }),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let lines: Vec<String> = rules.iter().map(Node::compact).collect();
                let invitation = Invitation {
                    match_id: id,
                    role,
                    rules: Arc::from(lines.join("\n")),
                    start_clock: Duration::from_secs(start_clock).min(LONGEST),
                    play_clock: Duration::from_secs(play_clock).min(LONGEST),
                };
                self.start(invitation, Scrambler::plain(&rules))
            }
            Message::Play { id, news } => self.play(&id, news),
            Message::Stop { id, news } => self.stop(&id, Some(news), "done"),
            Message::Abort { id } => self.stop(&id, None, "aborted"),
        })
    }

    fn matches(&self) -> MutexGuard<'_, Vec<Ongoing>> {
        // The data under this lock is consistent even after a panic.
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_free(&self) -> bool {
        let matches = self.matches();
        matches.iter().filter(|ongoing| !ongoing.is_forsaken()).count() < self.options.matches
    }

    fn info(&self, ping: bool) -> String {
        let free = self.is_free();
        if ping {
            return word(if free { "ready" } else { "busy" });
        }
        let status = if free { "available" } else { "busy" };
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '(' | ')' | ';' | '"');
        let name: String = self.options.name.chars().filter(|&c| plain(c)).collect();
        let species = Some("alien".to_string());
        Presence { name: Some(name).filter(|name| !name.is_empty()), status: status.to_string(), species }
            .write()
    }

    fn start(&self, invitation: Invitation, names: Scrambler) -> String {
        let start_clock = invitation.start_clock;
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let pending = {
            let mut matches = self.matches();
            // A manager that starts a match again has lost it.
            let over = |ongoing: &Ongoing| ongoing.id == invitation.match_id || ongoing.is_forsaken();
            matches.extract_if(.., |ongoing| over(ongoing)).for_each(|ongoing| ongoing.end(None));
            if matches.len() >= self.options.matches {
                return word("busy");
            }
            let table = Arc::new(OnceLock::new());
            let context = MatchContext {
                match_id: invitation.match_id.clone(),
                role: RoleId(0),
                rules: Some(Arc::clone(&invitation.rules)),
                start_clock,
                play_clock: invitation.play_clock,
                seed: self.options.seed.derive_name(&invitation.match_id).derive_name(&invitation.role),
            };
            let visitor = Visitor::new(Arc::clone(&self.host), invitation.clone(), Arc::clone(&table));
            let Ok(chair) = Chair::new(&invitation.role, Box::new(visitor)) else { return word("busy") };
            let pending = chair.start(context, Some(self.cut(start_clock)));
            matches.push(Ongoing {
                id: invitation.match_id,
                number,
                chair: Arc::new(chair),
                table,
                names: Arc::new(names),
                play_clock: invitation.play_clock,
                thinking: Some(pending.stop_token()),
                asked: None,
                requests: 0,
                missed: Vec::new(),
                own: None,
                heard: Instant::now(),
                patience: start_clock + 10 * invitation.play_clock + SILENCE,
            });
            pending
        };
        let answer = pending.answer(Instant::now().checked_add(self.cut(start_clock) + LEAST));
        let mut matches = self.matches();
        let Some(at) = matches.iter().position(|ongoing| ongoing.number == number) else {
            return word("busy");
        };
        if matches[at].requests == 0 {
            matches[at].thinking = None;
        }
        match answer {
            // A player that is late may still be ready when it is asked for a move.
            Answer::Done(..) | Answer::Late => word("ready"),
            Answer::Failed(_) | Answer::Panicked(_) | Answer::Gone => {
                matches.remove(at);
                word("busy")
            }
        }
    }

    fn play(&self, id: &str, news: News) -> String {
        let Asked { pending, number, request, play_clock } = match self.ask(id, news) {
            Ok(asked) => asked,
            Err(Unasked::Busy) => return word("busy"),
            Err(Unasked::Senseless) => return word("nil"),
        };
        let answer = pending.answer(Instant::now().checked_add(play_clock + GRACE));
        let said = match answer {
            Answer::Done(text, _) => text,
            _ => word("nil"),
        };
        let mut matches = self.matches();
        let same = |ongoing: &&mut Ongoing| ongoing.number == number && ongoing.requests == request;
        if let Some(ongoing) = matches.iter_mut().find(same) {
            ongoing.thinking = None;
            ongoing.own = Some(said.clone());
        }
        said
    }

    /// Asks for a move. If the game is not ready to be asked, waits for it as long as the clock allows; the
    /// news are kept in any case.
    fn ask(&self, id: &str, news: News) -> Result<Asked, Unasked> {
        let began = Instant::now();
        loop {
            let mut matches = self.matches();
            let ongoing = matches.iter_mut().find(|ongoing| ongoing.id == id);
            let ongoing = ongoing.ok_or(Unasked::Busy)?;
            ongoing.heard = Instant::now();
            if ongoing.thinking.is_some() && ongoing.asked.as_ref() == Some(&news) {
                return Err(Unasked::Busy);
            }
            let left = self.cut(ongoing.play_clock).saturating_sub(began.elapsed());
            if ongoing.table.get().is_some() || news.is_first() {
                return ongoing.ask(news, left.max(LEAST));
            }
            if left.is_zero() {
                ongoing.missed.push(news);
                return Err(Unasked::Senseless);
            }
            drop(matches);
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn stop(&self, id: &str, news: Option<News>, said: &str) -> String {
        let mut matches = self.matches();
        match matches.iter().position(|ongoing| ongoing.id == id) {
            None => word("busy"),
            Some(at) => {
                matches.remove(at).end(news);
                word(said)
            }
        }
    }

    /// Returns a clock minus the time for the reply.
    fn cut(&self, clock: Duration) -> Duration {
        clock.saturating_sub(self.options.margin.min(clock / 4)).max(LEAST)
    }
}

impl Ongoing {
    fn is_forsaken(&self) -> bool {
        self.heard.elapsed() > self.patience
    }

    /// Asks the player for a move.
    ///
    /// A manager that comes with other news while the player still thinks has given up waiting. The player is
    /// told to give up too. It gets all news in order, so it is never a step behind.
    fn ask(&mut self, news: News, clock: Duration) -> Result<Asked, Unasked> {
        let turn = self.turn(news.clone()).map_err(|()| Unasked::Senseless)?;
        if let Some(thinking) = &self.thinking {
            thinking.stop();
        }
        let missed = std::mem::take(&mut self.missed);
        let missed: Vec<Turn> =
            missed.into_iter().filter_map(|news| self.turn(news).ok().flatten()).collect();
        if !missed.is_empty() {
            self.chair.catch_up(missed).let_go();
        }
        let pending = self.chair.ask(turn, Some(clock));
        self.thinking = Some(pending.stop_token());
        self.asked = Some(news);
        self.requests += 1;
        let (number, request, play_clock) = (self.number, self.requests, self.play_clock);
        Ok(Asked { pending, number, request, play_clock })
    }

    /// Ends the match. The player is notified asynchronously.
    fn end(self, news: Option<News>) {
        if let Some(thinking) = &self.thinking {
            thinking.stop();
        }
        let turn = news.and_then(|news| self.turn(news).ok().flatten());
        drop(self.chair.stop(turn, None, STOP_CLOCK));
    }

    /// Translates news for the player. Fails if they make no sense.
    fn turn(&self, news: News) -> Result<Option<Turn>, ()> {
        if news.is_first() {
            return Ok(None);
        }
        let table = self.table.get().ok_or(())?;
        let text = |node: &Node| self.names.reveal(node).compact();
        let texts = |nodes: &[Node]| -> Vec<String> { nodes.iter().map(text).collect() };
        let seen = |own: String, percepts: &[Node]| {
            let mut percepts = texts(percepts);
            percepts.sort();
            percepts.dedup();
            Turn { own, percepts, joint: None }
        };
        match news {
            News::List(percepts) if table.hides => Ok(Some(seen(self.own.clone().ok_or(())?, &percepts))),
            News::Seen { own: Some(own), percepts, .. } if table.hides => {
                Ok(Some(seen(text(&own), &percepts)))
            }
            News::List(moves) if moves.len() == table.roles.len() => {
                let joint = texts(&moves);
                let does = |(role, text): (&String, &String)| format!("(does {role} {text})");
                let mut percepts: Vec<String> = table.roles.iter().zip(&joint).map(does).collect();
                percepts.sort();
                Ok(Some(Turn { own: joint[table.role.index()].clone(), percepts, joint: Some(joint) }))
            }
            _ => Err(()),
        }
    }
}

fn word(word: &str) -> String {
    word.to_string()
}
