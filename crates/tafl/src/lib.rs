//! Plays any game given its rules.
//!
//! A game is a rule sheet in the Game Description Language or a graph grammar. This crate
//! loads games, answers questions about their states, plays matches between players, serves
//! players over the network, and runs tournaments.
//!
//! # Load a game and query it
//!
//! [`load`] takes the name of a game in the library, a path, or `folder:key` for a checkout of
//! the public game repository; [`from_text`] takes the rules themselves. Both return a
//! [`Playable`], which dereferences to a [`Game`]:
//!
//! ```
//! use tafl::{Game, RoleId};
//!
//! let game = tafl::load("tic_tac_toe")?;
//! let x = RoleId(0);
//! let state = game.initial();
//! assert_eq!(game.roles(), ["x", "o"]);
//!
//! // Questions write to a scratch memory: one for each thread, kept from question to question.
//! let scratch = &mut game.scratch();
//! assert!(!game.is_terminal(scratch, &state)?);
//!
//! // Every role makes a move in every step; `noop` if it is not the role's turn.
//! let mut joint = Vec::new();
//! for role in RoleId::all(game.roles().len()) {
//!     let mut moves = Vec::new();
//!     game.legal(scratch, &state, role, &mut moves)?;
//!     joint.push(moves[0]);
//! }
//! assert_eq!(game.move_text(x, joint[0]), "(mark 1 1)");
//!
//! let mut percepts = Vec::new();
//! game.percepts(scratch, &state, &joint, x, &mut percepts)?;
//! assert_eq!(percepts.len(), 2, "nothing is hidden, so everyone sees both moves");
//!
//! let state = game.next(scratch, &state, &joint)?;
//! assert!(game.facts(&state).contains(&"(cell 1 1 x)".to_string()));
//! assert_eq!(game.goal(scratch, &state, x)?, Some(50));
//! # Ok::<(), tafl::Error>(())
//! ```
//!
//! To show a game to people, use [`Playable::walk`], which works with text instead of numbers.
//!
//! # Play a match
//!
//! [`play`] asks all players at the same time, replaces late or illegal answers, and returns
//! a [`MatchRecord`]. The same seed gives the same record, except for its times, provided that
//! the players count their work instead of thinking by the clock.
//!
//! ```
//! # #[cfg(feature = "players")] {
//! let game = tafl::load("tic_tac_toe")?;
//! let players = [game.player("mcts(playouts=20)")?, game.player("random")?];
//! let record = tafl::play(&game, players, &game.setup(1))?;
//! assert!(record.is_completed);
//! assert_eq!(record.roles, ["x", "o"]);
//! # }
//! # Ok::<(), tafl::Error>(())
//! ```
//!
//! # Write a player
//!
//! A player implements [`Player`] for every [`Game`]; see the example `forty_lines`. Give it a
//! seat with [`Playable::own_player`], or let it listen on a port with [`serve`], where any
//! program that speaks the GGP protocol can ask it to play.
//!
//! ```sh
//! cargo run --release -p tafl --example forty_lines -- --port 9147
//! tafl match connect_four http://localhost:9147 random
//! ```
//!
//! # Run a tournament
//!
//! With the feature `tournament`, `run_tournament` plays many matches on all cores and reports
//! scores with confidence intervals.
//!
//! # Features
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `players` | players by name: [`Playable::player`]; enables `graph` | yes |
//! | `graph` | games that are graph grammars | with `players` |
//! | `tournament` | `run_tournament`, and the crates `tournament`, `store` (SQLite) and `statistics` | |
//! | `analysis` | the crate `analysis`: values, checks, measurements | |
//! | `picture` | the crate `picture`: states as SVG | |
//! | `full` | all of these | |
//!
//! To write a player, none of them is needed:
//! `tafl = { path = "…", default-features = false }`.
//!
//! The underlying crates are re-exported under their own names, for everything that the
//! functions here leave out.

mod error;
mod play;
mod playable;
mod serve;
#[cfg(feature = "tournament")]
mod tournaments;

pub use error::{BadSheet, Error};
pub use play::{play, play_watched};
pub use playable::{Playable, from_text, games, load};
pub use serve::{serve, serve_at};
#[cfg(feature = "tournament")]
pub use tournaments::{Tournament, run_tournament};

pub use ::arena::{
    Ending, Event, MatchRecord, PlayerServer, Replacement, ServeOptions, Setup, Sitter, StepRecord,
};
pub use ::game::{
    AnyGame, AnyScratch, AnyState, Considered, Deadline, Fault, Game, Goal, MatchContext, MoveId,
    Observation, Outcomes, PerceptId, Player, Playouts, Position, Rng, Role, RoleId, Seat, Seated, Seed,
    Start, Tally, Thought, Totals, Walk,
};
pub use ::reasoner::{CircuitGame, fastest};

pub use ::{arena, game, gdl, library, reasoner, rules};
#[cfg(feature = "tournament")]
pub use ::{statistics, store, tournament};
#[cfg(feature = "analysis")]
pub use ::analysis;
#[cfg(feature = "players")]
pub use ::cast;
#[cfg(feature = "picture")]
pub use ::picture;
