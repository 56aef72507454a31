//! A game that is ready to be played.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arena::{Address, Remote, Setup, Sitter};
use game::{AnyGame, Game, Player, Seated, Seed, Walk};
use library::{Chosen, Library, Loaded, from_bytes};
use rules::Strictness;

use crate::{BadSheet, Error};

/// Returns the names of the games in the library.
///
/// ```
/// assert!(tafl::games().contains(&"connect_four".to_string()));
/// ```
pub fn games() -> Vec<String> {
    // The library embedded in the program can always be read.
    Library::embedded().names().unwrap_or_default()
}

/// Loads a game, given its name in the library, the path of a rule sheet or graph grammar, or
/// `folder:key` for a checkout of the public game repository.
///
/// ```
/// use tafl::Game;
///
/// let game = tafl::load("connect_four")?;
/// assert_eq!(game.title(), "Connect Four");
/// assert_eq!(game.roles(), ["red", "yellow"]);
///
/// let error = tafl::load("conect_four").unwrap_err().to_string();
/// assert!(error.contains("connect_four"), "{error}");
/// # Ok::<(), tafl::Error>(())
/// ```
pub fn load(argument: &str) -> Result<Playable, Error> {
    Playable::new(Library::embedded().load(argument, Strictness::Lenient)?, "auto")
}

/// Creates a game from the text of a rule sheet, in prefix or infix form.
///
/// ```
/// let game = tafl::from_text(
///     "lamp",
///     "(role me)
///      (init off)
///      (<= (legal me switch) (true off))
///      (<= (next on) (does me switch))
///      (<= terminal (true on))
///      (<= (goal me 100) (true on))
///      (<= (goal me 0) (true off))",
/// )?;
/// let mut walk = game.walk();
/// walk.step(&["switch".to_string()])?;
/// assert_eq!(walk.position()?.goals, [Some(100)]);
/// # Ok::<(), tafl::Error>(())
/// ```
///
/// Errors in the sheet are reported with their positions:
///
/// ```
/// let error = tafl::from_text("lamp", "(role me)\n(<= (next ?x) (does me switch))").unwrap_err();
/// assert!(error.to_string().contains("lamp:2:11: error[unsafe-variable]: "), "{error}");
/// ```
pub fn from_text(name: &str, rules: &str) -> Result<Playable, Error> {
    let source = from_bytes(name.to_string(), name.to_string(), None, rules.as_bytes().to_vec());
    Playable::new(Loaded::new(source, Strictness::Lenient), "auto")
}

/// A game that can be played.
///
/// It dereferences to an [`AnyGame`], so all methods of [`Game`] are available.
#[derive(Clone)]
pub struct Playable {
    loaded: Loaded,
    chosen: Chosen,
}

impl fmt::Debug for Playable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, reasoner) = (self.name(), self.reasoner());
        out.debug_struct("Playable").field("name", &name).field("reasoner", &reasoner).finish()
    }
}

impl Deref for Playable {
    type Target = AnyGame;

    fn deref(&self) -> &AnyGame {
        &self.chosen.game
    }
}

impl Playable {
    fn new(loaded: Loaded, reasoner: &str) -> Result<Playable, Error> {
        if loaded.errors() > 0 {
            let diagnostics = loaded.diagnostics().to_vec();
            let (place, text) = (loaded.source.place, loaded.source.text);
            return Err(BadSheet { place, text, diagnostics }.into());
        }
        let chosen = loaded.play(reasoner)?;
        Ok(Playable { loaded, chosen })
    }

    /// Returns the same game behind another reasoner: `circuit`, `interpreter` or `prover`. All of
    /// them give the same answers; the default is the fastest one that can handle the rules.
    ///
    /// ```
    /// let game = tafl::load("tic_tac_toe")?;
    /// assert_eq!(game.reasoner(), "circuit");
    /// assert_eq!(game.with_reasoner("interpreter")?.reasoner(), "interpreter");
    /// # Ok::<(), tafl::Error>(())
    /// ```
    pub fn with_reasoner(&self, reasoner: &str) -> Result<Playable, Error> {
        Playable::new(self.loaded.clone(), reasoner)
    }

    /// Returns the name of the game: `connect_four`.
    pub fn name(&self) -> &str {
        &self.loaded.source.name
    }

    /// Returns the title of the game: `Connect Four`.
    pub fn title(&self) -> &str {
        self.loaded.title()
    }

    /// Returns the name of the reasoner.
    pub fn reasoner(&self) -> &str {
        self.chosen.name
    }

    /// Returns what the game was made from: the rule sheet as a tree, its diagnostics, the checked rules.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Returns the game without its name and rules.
    pub fn game(&self) -> &AnyGame {
        &self.chosen.game
    }

    /// Starts a walk, a path through the game in text, in the initial state.
    ///
    /// ```
    /// let mut walk = tafl::load("tic_tac_toe")?.walk();
    /// let first = walk.position()?;
    /// assert_eq!(first.legal[1], ["noop"]);
    ///
    /// let seen = walk.step(&["(mark 2 2)".to_string(), "noop".to_string()])?;
    /// assert_eq!(seen[1], ["(does o noop)", "(does x (mark 2 2))"]);
    /// assert!(!walk.position()?.terminal);
    /// # Ok::<(), tafl::Error>(())
    /// ```
    pub fn walk(&self) -> Walk {
        Walk::new(self)
    }

    /// Returns the conditions of a match with this seed: thirty seconds before the first move,
    /// fifteen for each move, at most ten thousand steps.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tafl::Setup;
    ///
    /// let game = tafl::load("tic_tac_toe")?;
    /// let quick = Setup { play_clock: Duration::from_millis(200), ..game.setup(7) };
    /// # assert_eq!(quick.game, "tic_tac_toe");
    /// # Ok::<(), tafl::Error>(())
    /// ```
    pub fn setup(&self, seed: u64) -> Setup {
        Setup {
            rules: self.loaded.wire_text(),
            reasoner: self.reasoner().to_string(),
            ..Setup::new(self.name(), Seed(seed))
        }
    }

    /// Seats the player named by a spec: `random`, `mcts(playouts=100)`, `http://HOST:PORT`.
    /// `tafl players` lists them all.
    ///
    /// ```
    /// let game = tafl::load("tic_tac_toe")?;
    /// assert!(game.player("minimax(depth=2)").is_ok());
    /// assert!(game.player("nobody").is_err());
    /// # Ok::<(), tafl::Error>(())
    /// ```
    #[cfg(feature = "players")]
    pub fn player(&self, spec: &str) -> Result<Sitter, Error> {
        let seat = cast::seat(self, spec)?;
        let sits = if cast::is_informed(spec) { Sitter::Informed } else { Sitter::Seat };
        Ok(sits(spec.to_string(), seat))
    }

    /// Seats a player of your own, under a name.
    ///
    /// The player plays over an [`AnyGame`]. A player that searches is faster over the concrete type
    /// of the game: [`fastest!`](crate::fastest) finds it, and [`Seated`] seats a player there.
    pub fn own_player(&self, name: &str, player: impl Player<AnyGame> + 'static) -> Sitter {
        Sitter::Seat(name.to_string(), Box::new(Seated::new(Arc::new(self.game().clone()), player)))
    }

    /// Seats a player that listens at an address such as `http://localhost:9147`.
    pub fn remote_player(&self, address: &str) -> Result<Sitter, Error> {
        let place = Address::parse(address)?;
        let seat = Remote::new(place, self.roles(), self.has_percepts());
        Ok(Sitter::Seat(address.to_string(), Box::new(seat)))
    }
}
