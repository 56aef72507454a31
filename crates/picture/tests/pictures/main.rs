//! Every game of the library as a picture.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod boards;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use game::{AnyGame, Game, PlayoutStream, RoleId, Seed};
use library::{Library, Loaded, from_bytes};
use picture::{Artist, Glimpse, Kind, Stylesheet, View};
use rules::Strictness;

/// A folder to put the pictures into, to look at them.
const LOOK: &str = "TAFL_PICTURES";

/// No picture is larger, in bytes.
const LARGEST: usize = 1_500_000;

/// The facts before each of some random steps, and the moves that are legal there.
struct Walk(u32);

type Walked = Vec<(Vec<String>, Vec<String>)>;

impl Walk {
    fn run(self, game: &AnyGame) -> Walked {
        let stream = PlayoutStream::new(Seed(7), 0);
        let (mut state, mut scratch, mut walked) = (game.initial(), game.scratch(), Vec::new());
        for step in 0..=self.0 {
            let (mut joint, mut texts, mut moves) = (Vec::new(), Vec::new(), Vec::new());
            if !game.is_terminal(&mut scratch, &state).unwrap() {
                for role in RoleId::all(game.roles().len()) {
                    game.legal(&mut scratch, &state, role, &mut moves).unwrap();
                    texts.extend(moves.iter().map(|&mv| game.move_text(role, mv)));
                    let count = moves.len() as u32;
                    joint.extend((count > 0).then(|| moves[stream.below(step, role.0, count) as usize]));
                }
            }
            walked.push((game.facts(&state), texts));
            if joint.len() < game.roles().len() {
                break;
            }
            state = game.next(&mut scratch, &state, &joint).unwrap();
        }
        walked
    }
}

fn artist(name: &str) -> (Artist, Walked) {
    let loaded = Loaded::new(Library::embedded().find(name).unwrap(), Strictness::Lenient);
    let chosen = loaded.play(if loaded.sheet().is_some() { "interpreter" } else { "auto" }).unwrap();
    (Artist::new(&loaded, &chosen.game), Walk(20).run(&chosen.game))
}

/// Elements with their attributes. Panics where the text is not well-formed.
fn elements(svg: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a stray > in {}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let closed = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut list = BTreeMap::new();
        while let Some((key, value)) = attributes.trim_start().split_once("=\"") {
            let (value, after) = value.split_once('"').expect("an attribute ends");
            assert!(!value.contains('<') && !key.contains(['<', '&', ' ']), "{key}={value}");
            assert!(list.insert(key.to_string(), value.to_string()).is_none(), "{key} twice in {tag}");
            attributes = after;
        }
        assert_eq!(attributes.trim(), "", "{tag}");
        if !closed {
            open.push(name.to_string());
        }
        found.push((name.to_string(), list));
    }
    assert!(open.is_empty(), "{open:?} are not closed");
    found
}

/// What holds of every picture.
fn check(name: &str, svg: &str) -> Vec<(String, BTreeMap<String, String>)> {
    assert!(svg.len() < LARGEST, "{name}: {} bytes", svg.len());
    let all = elements(svg);
    let harmless =
        ["svg", "g", "rect", "circle", "path", "polygon", "line", "text", "title", "animateTransform"];
    for (element, attributes) in &all {
        assert!(harmless.contains(&element.as_str()), "{name}: <{element}>");
        for (key, value) in attributes {
            assert!(!key.starts_with("on") && !key.contains("href") && key != "style", "{name}: {key}");
            assert!(!value.to_lowercase().contains("javascript:"), "{name}: {value}");
            assert!(
                key == "xmlns" || !value.contains("NaN") && !value.contains("inf"),
                "{name}: {key}={value}"
            );
        }
    }
    let root = &all[0].1;
    assert!(root["class"].starts_with("board board-"), "{name}");
    let size: Vec<f64> = root["viewBox"].split(' ').map(|number| number.parse().unwrap()).collect();
    assert!(size[2] > 0.0 && size[3] > 0.0 && size[2] < 6000.0 && size[3] < 12000.0, "{name}: {size:?}");
    all
}

#[test]
fn every_game_of_the_library_is_drawn_in_all_its_states() {
    let mut kinds = BTreeSet::new();
    for name in Library::embedded().names().unwrap() {
        let (artist, walked) = artist(&name);
        let mut before: Option<Vec<String>> = None;
        if let Some(folder) = std::env::var_os(LOOK) {
            for (step, (facts, _)) in walked.iter().enumerate().filter(|(step, _)| step % 12 == 0) {
                let last = step.checked_sub(1).map(|before| artist.changed(&walked[before].0, facts));
                let view = View { changed: last.unwrap_or_default(), ..View::default() };
                let file = Path::new(&folder).join(format!("{name}.{step}.svg"));
                fs::write(file, artist.svg(facts, &view)).unwrap();
            }
        }
        for (facts, moves) in walked {
            let changed = before.map(|before| artist.changed(&before, &facts)).unwrap_or_default();
            let turned = facts.len() % 2 == 0;
            let all = check(&name, &artist.svg(&facts, &View { changed, turned, ..View::default() }));
            let mut cells = BTreeSet::new();
            for (_, attributes) in &all {
                let class = attributes.get("class").map(String::as_str).unwrap_or_default();
                if class.split(' ').any(|word| word == "cell") {
                    let cell = &attributes["data-cell"];
                    assert!(cells.insert(cell.clone()), "{name} has the square {cell} twice");
                }
            }
            if artist.kind() == Kind::Grid || artist.kind() == Kind::Hex {
                assert!(!cells.is_empty(), "{name}");
                for mv in moves {
                    for cell in artist.cells(&facts, &mv) {
                        assert!(cells.contains(&cell), "{name}: {mv} names {cell}, which is not drawn");
                    }
                }
            }
            before = Some(facts);
        }
        kinds.insert(artist.kind().name());
    }
    let all = ["cards", "graph", "grid", "hex"];
    assert!(all.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

#[test]
fn boards_are_recognised_by_their_rules() {
    let kind = |name: &str| artist(name).0.kind();
    assert_eq!(kind("hex_9"), Kind::Hex);
    assert_eq!(kind("chinese_checkers_3"), Kind::Hex);
    assert_eq!(kind("chess"), Kind::Grid);
    assert_eq!(kind("kuhn_poker"), Kind::Cards);
    assert_eq!(kind("tic_tac_toe_graph"), Kind::Graph);
}

#[test]
fn moves_name_squares_columns_or_what_lies_there() {
    let cells = |name: &str, mv: &str| {
        let (artist, walked) = artist(name);
        artist.cells(&walked[0].0, mv)
    };
    assert_eq!(cells("chess", "(move a 2 a 4)"), ["a 2", "a 4"]);
    assert_eq!(cells("tic_tac_toe", "(mark 1 3)"), ["1 3"]);
    assert_eq!(cells("connect_four", "(drop 3)"), ["3"]);
    assert_eq!(cells("eight_puzzle", "(slide 5)"), ["b 2"]);
    assert_eq!(cells("little_tafl_graph", "(raid c12 c13)"), ["c12", "c13"]);
    assert!(cells("tic_tac_toe", "noop").is_empty());
    assert!(cells("tron", "(ride east)").is_empty());
}

#[test]
fn changes_are_the_squares_on_which_something_else_lies() {
    let (artist, _) = artist("tic_tac_toe");
    let facts = |text: &str| library::read_state(text).unwrap();
    let before = facts("((cell 1 1 x) (control o))");
    let after = facts("((cell 1 1 x) (cell 2 3 o) (control x))");
    assert_eq!(artist.changed(&before, &after), ["2 3"]);
    assert!(artist.changed(&after, &after).is_empty());
}

/// A sheet whose symbols are markup, as long and as many as they can be.
#[test]
fn hostile_symbols_are_drawn_harmlessly() {
    let long = "y".repeat(5000);
    let mut text = String::from("(role <script>alert(1)</script>) (role \"'><img/src=x>)\n");
    text = text.replace("alert(1)", "alert1").replace("\"'>", "&'>");
    for column in 0..40 {
        for row in 0..40 {
            text.push_str(&format!("(init (cell {column} {row} <svg/onload=x{}>))\n", column * row % 7));
        }
    }
    for number in 0..400 {
        text.push_str(&format!("(init (note <b>{number}</b> {long}{number}))\n"));
    }
    text.push_str("(<= (legal ?r (put ?x)) (role ?r) (true (cell ?x 1 ?y))) (<= terminal (true never))\n");
    text.push_str("(<= (next ?f) (true ?f)) (goal <script>alert1</script> 100)");
    let source = from_bytes("<bad>&\"".to_string(), "bad.kif".to_string(), Some("kif"), text.into_bytes());
    let loaded = Loaded::new(source, Strictness::Lenient);
    let chosen = loaded.play("interpreter").unwrap();
    let artist = Artist::new(&loaded, &chosen.game);
    for (facts, moves) in Walk(2).run(&chosen.game) {
        let changed: Vec<String> = moves.iter().flat_map(|mv| artist.cells(&facts, mv)).collect();
        check(
            "hostile",
            &artist.svg(&facts, &View { changed: changed.clone(), marked: changed, ..View::default() }),
        );
    }
    // Facts that no state of the game has.
    let odd: Vec<String> = ["", "(", "(cell", "(cell 1 1 \u{0})", "((x))", ")", "(a  b)", &"(".repeat(9000)]
        .iter()
        .map(|fact| fact.to_string())
        .collect();
    check("odd", &artist.svg(&odd, &View::default()));
    assert!(artist.cells(&odd, "((((").is_empty() && artist.cells(&odd, "").is_empty());
}

#[test]
fn what_a_role_knows_is_drawn_from_its_moves_and_percepts() {
    let (artist, _) = artist("battleships_fog_4");
    let glimpse = |step, own: &str, percepts: &[&str]| Glimpse {
        step,
        own: Some(own.to_string()),
        percepts: percepts.iter().map(|percept| percept.to_string()).collect(),
    };
    let history =
        [glimpse(1, "noop", &[]), glimpse(2, "(move 2 1)", &[]), glimpse(3, "scan", &["(enemy_at 3 4)"])];
    let all = check("memory", &artist.memory("p1", &history, &View::default()));
    let at = |cell: &str| {
        let mut found = all.iter().filter(|(_, attributes)| {
            attributes.get("data-cell").is_some_and(|found| found == cell)
                && attributes["class"].contains("piece")
        });
        found.next().map(|(_, attributes)| attributes["class"].clone())
    };
    assert_eq!(at("2 1").as_deref(), Some("piece piece-p1"));
    assert_eq!(at("3 4").as_deref(), Some("piece piece-enemy-at"));
    assert_eq!(at("1 1"), None);
    // A game without a board is a list.
    let (artist, _) = self::artist("kuhn_poker");
    let svg = artist.memory("p1", &[glimpse(1, "<b>", &["(card \"queen\")"])], &View::default());
    check("list", &svg);
    assert!(svg.contains("&lt;b&gt;") && svg.contains("&quot;queen&quot;"));
}

#[test]
fn drawing_instructions_of_the_library_are_in_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let library = Library::folder(folder);
    let styled: Vec<String> = library
        .names()
        .unwrap()
        .into_iter()
        .filter(|name| library.find(name).unwrap().style.is_some())
        .collect();
    for name in ["chess", "connect_four", "hnefatafl_13", "hnefatafl_7", "reversi"] {
        assert!(styled.iter().any(|styled| styled == name), "{name}");
    }
    for name in styled {
        let (artist, walked) = artist(&name);
        let style = library.find(&name).unwrap().style.unwrap();
        // What is named in them is there.
        let svg = artist.svg(&walked[0].0, &View::default());
        for square in style.squares.keys() {
            assert!(svg.contains(&format!("data-cell=\"{square}\"")), "{name}: {square}");
        }
        let all: String = walked.iter().map(|(facts, _)| facts.concat()).collect();
        for thing in style.pieces.keys() {
            assert!(all.contains(thing.as_str()), "{name}: {thing}");
        }
    }
}

#[test]
fn a_game_of_the_repository_is_drawn_by_its_stylesheet() {
    let folder = std::env::temp_dir().join(format!("tafl-pictures-{}", std::process::id()));
    let game = folder.join("games/marks");
    fs::create_dir_all(&game).unwrap();
    fs::create_dir_all(folder.join("resources/images")).unwrap();
    fs::write(folder.join("resources/images/x.png"), "not really").unwrap();
    fs::write(game.join("METADATA"), r#"{"rulesheet": "marks.kif", "stylesheet": "marks.xsl"}"#).unwrap();
    fs::write(game.join("marks.kif"), "(role x) (init (cell 1 1 x)) (init (cell 2 3 o)) terminal").unwrap();
    fs::write(game.join("marks.xsl"), include_str!("board.xsl")).unwrap();
    let source = Library::embedded().find(&format!("{}:marks", folder.display())).unwrap();
    let stylesheet = Stylesheet::of(&source).unwrap().unwrap();
    let facts = ["(cell 1 1 x)", "(cell 2 3 o)"].map(String::from);
    let svg = stylesheet.svg(&facts, 300).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("data:image/png;base64,bm90"), "{svg}");
    elements(&svg);
    fs::remove_dir_all(folder).unwrap();
}
