//! Boards are found in states.

use game::{AnyGame, Game};
use library::{Loaded, from_bytes};
use picture::board::{Layout, samples};
use rules::Strictness;

fn load(text: &str) -> Loaded {
    let source =
        from_bytes("test".to_string(), "test.kif".to_string(), Some("kif"), text.as_bytes().to_vec());
    let loaded = Loaded::new(source, Strictness::Lenient);
    assert!(loaded.rules().is_some(), "{:?}", loaded.diagnostics());
    loaded
}

struct Draw<'a>(&'a Loaded);

impl Draw<'_> {
    fn run(self, game: &AnyGame) -> (Vec<String>, Vec<String>) {
        let facts = game.facts(&game.initial());
        let mut seen = vec![facts.clone()];
        seen.extend(samples(game, &mut game.scratch()).unwrap());
        let picture = Layout::of(self.0, &seen).picture(&facts);
        let board = |board: &picture::board::Board| {
            let rows =
                board.rows.iter().zip(&board.cells).map(|(row, cells)| format!("{row}:{}", cells.join(",")));
            format!("{} {} {}", board.title, board.columns.join(","), rows.collect::<Vec<_>>().join(" "))
        };
        (picture.boards.iter().map(board).collect(), picture.others)
    }
}

#[test]
fn boards_are_found_and_other_facts_are_left() {
    let sheet = |init: &str| {
        format!(
            "(role x) (legal x noop) (<= terminal (true never)) (goal x 0) (<= (next ?f) (true ?f)) {init}"
        )
    };
    let draw = |init: &str| {
        let loaded = load(&sheet(init));
        Draw(&loaded).run(&loaded.play("auto").unwrap().game)
    };
    let (boards, others) =
        draw("(init (cell a 1 king)) (init (cell b 2 rook)) (init (control x)) (init (step 1))");
    assert_eq!(boards, ["cell a,b 2:,rook 1:king,"]);
    assert_eq!(others, ["(control x)", "(step 1)"]);
    let (boards, others) =
        draw("(init (score x 1)) (init (score o 2)) (init (heap 1 5)) (init (heap 2 9)) (init (heap 3 4))");
    assert!(boards.is_empty());
    assert_eq!(others.len(), 5);
}
