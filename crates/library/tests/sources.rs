//! Where rule sheets are found, and what is answered where they are not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use gdl::Syntax;
use library::{Library, Loaded};
use rules::Strictness;

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn the_newest_version_of_a_repository_game_is_taken_file_by_file() {
    let root = scratch("repository");
    let games = root.join("war/root/games");
    write(games.join("old/METADATA"), r#"{"rulesheet": "old.kif"}"#);
    write(games.join("old/old.kif"), "(role old)");
    write(
        games.join("many/METADATA"),
        r#"{"rulesheet": "a.kif", "gameName": "Many", "description": "d.txt"}"#,
    );
    write(games.join("many/a.kif"), "(role v0)");
    write(games.join("many/d.txt"), "Told once.\n");
    write(games.join("many/v1/a.kif"), "(role v1)");
    write(games.join("many/v2/METADATA"), r#"{"rulesheet": "b.kif"}"#);
    write(games.join("many/v2/b.kif"), "(role v2)");
    write(games.join("kept/METADATA"), r#"{"rulesheet": "a.kif"}"#);
    write(games.join("kept/a.kif"), "(role v0)");
    write(games.join("kept/v1/other.txt"), "");
    let text = |key: &str| {
        let source = Library::embedded().find(&format!("{}:{key}", root.display()));
        source.map(|source| source.text.to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(text("old").unwrap(), "(role old)");
    assert_eq!(text("many").unwrap(), "(role v2)");
    assert_eq!(text("many/v1").unwrap(), "(role v1)");
    assert_eq!(text("many/v0").unwrap(), "(role v0)");
    assert_eq!(text("kept").unwrap(), "(role v0)");
    assert!(text("many/v3").unwrap_err().contains("newest version of `many` is 2"));
    assert!(text("manny").unwrap_err().contains("Did you mean `many`?"));
    assert!(text("../games/old").is_err());
    let v1 = Library::embedded().find(&format!("{}:many/v1", root.display())).unwrap();
    let about = v1.about.unwrap();
    assert_eq!((about.title.as_str(), about.description.as_str()), ("Many", "Told once."));
}

#[test]
fn the_text_tells_the_syntax_and_the_ending_helps() {
    let folder = scratch("syntax");
    write(folder.join("a.kif"), "(role x)");
    write(folder.join("b.hrf"), "role(x)");
    write(folder.join("c.kif"), "role(x)\nrole(y)");
    let source = |file: &str| Library::embedded().find(folder.join(file).to_str().unwrap()).unwrap();
    assert_eq!(["a.kif", "b.hrf", "c.kif"].map(|file| source(file).language.name()), ["kif", "hrf", "hrf"]);
}

#[test]
fn what_is_not_there_is_answered_with_what_to_do() {
    let folder = scratch("answers");
    write(folder.join("fox/rules.kif"), "(role fox)");
    write(folder.join("empty/notes.txt"), "");
    let library = Library::folder(&folder);
    let answer = |argument: &str| library.find(argument).unwrap_err().to_string();
    assert_eq!(library.names().unwrap(), ["fox"]);
    assert!(answer("foxx").contains("Did you mean `fox`?"));
    assert!(answer("wholly_different").contains("`tafl games` lists them"));
    assert!(answer("nowhere.kif").contains("Cannot read nowhere.kif: there is no such file."));
    assert!(answer("hunt.gps").contains("graph grammar"));
    assert!(Library::folder(folder.join("none")).names().is_err());
}

#[test]
fn folders_of_any_layout_are_opened_beside_the_library() {
    let root = scratch("opened");
    let games = root.join("checkout/war/root/games");
    write(games.join("marks/METADATA"), r#"{"rulesheet": "m.kif", "gameName": "Marks"}"#);
    write(games.join("marks/m.kif"), "(role a)");
    write(games.join("marks/v1/m.kif"), "(role b)");
    write(root.join("sheets/one.kif"), "(role one)");
    write(root.join("sheets/one.hrf"), "role(infix)");
    write(root.join("sheets/two.v1__two.gdl"), "(role two)");
    write(root.join("sheets/own/rules.kif"), "(role own)");
    write(root.join("sheets/notes.txt"), "");
    write(root.join("again/sheets/three.kif"), "(role three)");
    let library = Library::embedded()
        .with(root.join("checkout"))
        .with(root.join("sheets"))
        .with(root.join("again/sheets"));
    let names = library.names().unwrap();
    let opened: Vec<&str> = names.iter().map(String::as_str).filter(|name| name.contains(':')).collect();
    let expected = ["checkout:marks", "sheets:one", "sheets:one.kif", "sheets:own", "sheets:two.v1__two"];
    assert_eq!(opened[..5], expected);
    assert_eq!(opened[5..], ["sheets-2:three"]);
    assert!(names.contains(&"chess".to_string()));
    let text = |name: &str| library.find(name).map(|source| source.text.to_string());
    let texts: Vec<String> = opened.iter().map(|name| text(name).unwrap()).collect();
    let all = ["(role b)", "role(infix)", "(role one)", "(role own)", "(role two)", "(role three)"];
    assert_eq!(texts, all);
    for bad in ["sheets:../checkout", "sheets:", "sheets:.", "sheets:/etc/passwd", "sheets:notes", "none:one"]
    {
        assert!(text(bad).is_err(), "{bad}");
    }
    // In the place of the library names need no label.
    assert_eq!(Library::folder(root.join("checkout")).names().unwrap(), ["marks"]);
    assert_eq!(&*Library::folder(root.join("sheets")).find("two.v1__two").unwrap().text, "(role two)");
}

#[test]
fn bytes_that_are_no_text_are_reported_and_nothing_breaks() {
    let loaded = |bytes: &[u8]| {
        let source = library::from_bytes("x".to_string(), "x.kif".to_string(), Some("kif"), bytes.to_vec());
        Loaded::new(source, Strictness::Lenient)
    };
    let codes = |bytes: &[u8]| loaded(bytes).diagnostics().iter().map(|d| d.code).collect::<Vec<_>>();
    assert!(codes(b"(role caf\xe9)").contains(&"invalid-utf8"));
    assert_eq!(codes(b"; caf\xe9\n(role x)").iter().filter(|code| **code == "invalid-utf8").count(), 1);
    for bytes in [&b""[..], b"\0\0", b"(role x)", b"((((", b"\xff\xfe"] {
        let _ = loaded(bytes).play("interpreter");
    }
}

#[test]
fn languages_differ_in_names_and_extensions() {
    let all = library::languages();
    let names: Vec<&str> = all.iter().map(|language| language.name()).collect();
    assert_eq!(names, ["kif", "hrf", "graph"]);
    let extensions = all.iter().flat_map(|language| [language.extensions(), language.other_extensions()]);
    let mut extensions: Vec<&str> = extensions.flatten().copied().collect();
    extensions.sort_unstable();
    assert_eq!(extensions, ["gdl", "gps", "hrf", "kif", "zip"]);
    for name in names {
        assert_eq!(library::language(name).unwrap().name(), name);
    }
    assert!(library::language("chess").is_none());
}

#[test]
fn only_rule_sheets_have_a_syntax_and_go_over_the_wire() {
    let sheet = Library::embedded().find("tic_tac_toe").unwrap();
    assert_eq!((sheet.sheet_syntax().unwrap(), sheet.wire_text()), (Syntax::Kif, Some(sheet.text.clone())));
    let grammar = Library::embedded().find("tic_tac_toe_graph").unwrap();
    assert_eq!((grammar.language.name(), grammar.wire_text(), &*grammar.text), ("graph", None, ""));
    let place = "games/tic_tac_toe_graph/rules.gps";
    let answer = format!("{place} is a graph grammar, not a rule sheet. Use `tafl graph check` instead.");
    assert_eq!(grammar.sheet_syntax().unwrap_err().to_string(), answer);
    let loaded = Loaded::new(grammar, Strictness::Lenient);
    assert_eq!(loaded.play("auto").unwrap().name, "graph");
    assert!(loaded.sheet().is_none() && loaded.rules().is_none() && loaded.diagrams().is_some());
    let answer = format!(
        "{place} cannot be played. It is a graph grammar, but `circuit` evaluates rule sheets; omit --reasoner."
    );
    assert_eq!(loaded.play("circuit").err().unwrap().to_string(), answer);
}

#[test]
fn paths_that_nobody_reads_are_answered_with_the_extensions_there_are() {
    let answer = Library::embedded().find("wholly_different").unwrap_err().to_string();
    assert!(answer.ends_with("a path must end in .kif, .gdl, .hrf or .gps."), "{answer}");
}
