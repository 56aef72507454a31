//! Hnefatafl as rule sheets, against other ways to say the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod copenhagen;
mod repetition;
mod thesis;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use game::{Game, Goal, RoleId};
use lab::{GameVisitor, Loaded, read_path};
use rules::Strictness;

/// A game at one of its states, without its type.
trait Position {
    fn legal(&self, role: RoleId) -> Vec<String>;
    fn terminal(&self) -> bool;
    fn goals(&self) -> Vec<Option<Goal>>;
    fn board(&self) -> Vec<String>;
    fn go(&mut self, joint: &[String]);
    fn restart(&mut self);
    fn jump(&mut self, facts: &[String]);
}

struct At<G: Game> {
    game: Arc<G>,
    state: G::State,
}

impl<G: Game> Position for At<G> {
    fn legal(&self, role: RoleId) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.legal(&self.state, role, &mut moves).unwrap();
        moves.into_iter().map(|mv| self.game.move_text(role, mv)).collect()
    }

    fn terminal(&self) -> bool {
        self.game.is_terminal(&self.state).unwrap()
    }

    fn goals(&self) -> Vec<Option<Goal>> {
        RoleId::all(2).map(|role| self.game.goal(&self.state, role).unwrap()).collect()
    }

    fn board(&self) -> Vec<String> {
        self.game.facts(&self.state).into_iter().filter(|fact| fact.starts_with("(cell")).collect()
    }

    fn go(&mut self, joint: &[String]) {
        let find = |(role, text): (RoleId, &String)| self.game.find_move(role, text).unwrap();
        let joint: Vec<_> = RoleId::all(2).zip(joint).map(find).collect();
        self.state = self.game.next(&self.state, &joint).unwrap();
    }

    fn restart(&mut self) {
        self.state = self.game.initial();
    }

    fn jump(&mut self, facts: &[String]) {
        self.state = self.game.state(facts).unwrap();
    }
}

struct Begin;

impl GameVisitor for Begin {
    type Out = Box<dyn Position>;

    fn visit<G: Game + 'static>(self, game: &Arc<G>) -> Box<dyn Position> {
        Box::new(At { state: game.initial(), game: game.clone() })
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn begin(path: &Path, reasoner: &str) -> Box<dyn Position> {
    let loaded = Loaded::new(read_path(path).unwrap(), Strictness::Lenient);
    assert!(loaded.diagnostics.is_empty(), "{}: {:?}", path.display(), loaded.diagnostics);
    loaded.play(reasoner).unwrap().game.visit(Begin)
}

#[test]
fn the_infix_form_of_the_sheet_is_the_sheet() {
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).unwrap();
    let (kif, hrf) =
        (read("games/hnefatafl_13_repetition/rules.kif"), read("experiments/hnefatafl/sheets/all_rules.hrf"));
    let sheet = gdl::parse(&kif, gdl::Syntax::Kif).sheet;
    assert_eq!(gdl::to_hrf(&sheet), hrf, "make it again: tafl convert hnefatafl_13_repetition --to hrf");
}
