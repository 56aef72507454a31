//! Hnefatafl as rule sheets, against other ways to say the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod copenhagen;
mod repetition;
mod thesis;

use std::path::{Path, PathBuf};

use game::{AnyGame, AnyScratch, AnyState, Game, Goal, RoleId};
use library::{Loaded, read_path};
use rules::Strictness;

/// A game at one of its states, without its type.
trait Position {
    fn legal(&mut self, role: RoleId) -> Vec<String>;
    fn terminal(&mut self) -> bool;
    fn goals(&mut self) -> Vec<Option<Goal>>;
    fn board(&self) -> Vec<String>;
    fn go(&mut self, joint: &[String]);
    fn restart(&mut self);
    fn jump(&mut self, facts: &[String]);
    /// Keeps this state, to come back to.
    fn keep(&mut self);
    /// Comes back to the state that was kept last.
    fn come_back(&mut self);
}

struct At {
    game: AnyGame,
    scratch: AnyScratch,
    state: AnyState,
    kept: Vec<AnyState>,
}

impl Position for At {
    fn legal(&mut self, role: RoleId) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.legal(&mut self.scratch, &self.state, role, &mut moves).unwrap();
        moves.into_iter().map(|mv| self.game.move_text(role, mv)).collect()
    }

    fn terminal(&mut self) -> bool {
        self.game.is_terminal(&mut self.scratch, &self.state).unwrap()
    }

    fn goals(&mut self) -> Vec<Option<Goal>> {
        RoleId::all(2).map(|role| self.game.goal(&mut self.scratch, &self.state, role).unwrap()).collect()
    }

    fn board(&self) -> Vec<String> {
        self.game.facts(&self.state).into_iter().filter(|fact| fact.starts_with("(cell")).collect()
    }

    fn go(&mut self, joint: &[String]) {
        let find = |(role, text): (RoleId, &String)| self.game.find_move(role, text).unwrap();
        let joint: Vec<_> = RoleId::all(2).zip(joint).map(find).collect();
        self.state = self.game.next(&mut self.scratch, &self.state, &joint).unwrap();
    }

    fn restart(&mut self) {
        self.state = self.game.initial();
    }

    fn jump(&mut self, facts: &[String]) {
        self.state = self.game.state(facts).unwrap();
    }

    fn keep(&mut self) {
        self.kept.push(self.state.clone());
    }

    fn come_back(&mut self) {
        self.state = self.kept.pop().unwrap();
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn begin(path: &Path, reasoner: &str) -> Box<dyn Position> {
    let loaded = Loaded::new(read_path(path).unwrap(), Strictness::Lenient);
    assert!(loaded.diagnostics().is_empty(), "{}: {:?}", path.display(), loaded.diagnostics());
    let game = loaded.play(reasoner).unwrap().game;
    Box::new(At { scratch: game.scratch(), state: game.initial(), kept: Vec::new(), game })
}

/// The sheet of the library and all variants are there in both forms, with their comments.
/// `UPDATE_EXPECT=1` writes the infix forms anew, as `tafl convert --to hrf` does.
#[test]
fn every_sheet_is_there_in_infix_form() {
    let folder = repository().join("experiments/hnefatafl/sheets");
    let library =
        ["hnefatafl_11_copenhagen", "hnefatafl_13", "hnefatafl_13_repetition", "hnefatafl_7"].map(|name| {
            (repository().join(format!("games/{name}/rules.kif")), folder.join(format!("{name}.hrf")))
        });
    let mut variants: Vec<(PathBuf, PathBuf)> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "kif"))
        .map(|path| (path.clone(), path.with_extension("hrf")))
        .collect();
    variants.sort();
    assert_eq!(variants.len(), 18);
    for (kif, infix) in library.into_iter().chain(variants) {
        let sheet = gdl::parse(&std::fs::read_to_string(&kif).unwrap(), gdl::Syntax::Kif).sheet;
        let wanted = gdl::to_hrf(&sheet);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&infix, &wanted).unwrap();
        }
        let found = std::fs::read_to_string(&infix).unwrap_or_default();
        assert!(found == wanted, "{} is not {} in infix form", infix.display(), kif.display());
        let again = gdl::parse(&found, gdl::Syntax::Hrf);
        assert!(!again.has_errors(), "{}: {:?}", infix.display(), again.diagnostics);
        assert_eq!(gdl::to_kif(&again.sheet), gdl::to_kif(&sheet), "{}", infix.display());
    }
}
