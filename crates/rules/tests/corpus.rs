//! The public sheets: all of them play, so all are accepted, and what the
//! analyses say agrees with recorded games.
//!
//! The corpus is looked for at `TAFL_CORPUS`, else at `../shared/corpus` beside
//! the repository. Without it the tests say that they were left out.

#![allow(clippy::print_stdout)] // says what was left out, and what was found

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rules::analysis::{Domain, Functor, Persists};
use rules::{Rules, Strictness, Symbol, Term};

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let path = std::env::var_os("TAFL_CORPUS").map_or(beside, PathBuf::from);
    if !path.is_dir() {
        println!("left out: there is no corpus at {}", path.display());
        return None;
    }
    Some(path)
}

fn sheets(folder: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(folder).expect("the folder can be listed");
    let mut paths: Vec<PathBuf> = list.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "kif"));
    paths.sort();
    paths
}

fn check(path: &Path) -> Rules {
    let text = fs::read_to_string(path).expect("a sheet can be read");
    let parsed = gdl::parse_kif(&text);
    let checked = Rules::check(&parsed.sheet, Strictness::Lenient);
    checked.rules.unwrap_or_else(|| panic!("{}: {:#?}", path.display(), checked.diagnostics))
}

#[test]
fn every_sheet_that_plays_is_accepted() {
    let Some(corpus) = corpus() else { return };
    for folder in ["gdl", "gdl2", "hnefatafl"] {
        for path in sheets(&corpus.join(folder)) {
            check(&path);
        }
    }
}

/// Doubts that are about what does not work at all, so that sheets that are played deserve none.
const DOUBTS: [&str; 6] = [
    "infix-variable",
    "missing-init",
    "missing-role",
    "no-first-move",
    "no-move-while-waiting",
    "no-percept-for-role",
];

#[test]
fn sheets_that_are_played_give_no_cause_for_doubt() {
    let Some(corpus) = corpus() else { return };
    let mut found = Vec::new();
    for folder in ["gdl", "gdl2", "hnefatafl"] {
        for path in sheets(&corpus.join(folder)) {
            let text = fs::read_to_string(&path).expect("a sheet can be read");
            let diagnostics = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient).diagnostics;
            let doubts = diagnostics.iter().filter(|d| DOUBTS.contains(&d.code));
            let stem = path.file_stem().expect("a file").to_string_lossy();
            found.extend(doubts.map(|d| format!("{stem}: {}", d.message)));
        }
    }
    // The rules that would write these two fluents write others instead.
    let stays = |name: &str| {
        format!(
            "alexChess__alexChess: nothing starts `{name}`: there is no `init` for it, and every `next` \
             for it requires it to hold already"
        )
    };
    assert_eq!(found, [stays("blackHasMovedA1Rook"), stays("blackHasMovedH1Rook")]);
}

/// One recorded state: facts, legal moves by role, ply.
struct Recorded {
    playout: String,
    ply: usize,
    state: Vec<String>,
    legal: BTreeMap<String, Vec<String>>,
}

/// Reads the strings of a list that begins behind `[`.
fn strings(text: &str) -> (Vec<String>, &str) {
    let (inside, rest) = text.split_once(']').expect("lists are closed");
    let parts = inside.split('"').skip(1).step_by(2).map(str::to_string).collect();
    (parts, rest)
}

fn after<'t>(line: &'t str, key: &str) -> &'t str {
    line.split_once(key).unwrap_or_else(|| panic!("{key} is in {line}")).1
}

fn number(text: &str) -> String {
    text.chars().take_while(char::is_ascii_digit).collect()
}

fn recorded(line: &str) -> Recorded {
    let mut legal = BTreeMap::new();
    let mut rest = after(line, "\"legal\":{").split_once('}').expect("closed").0;
    while let Some((role, list)) = rest.split_once(":[") {
        let (moves, next) = strings(list);
        legal.insert(role.trim_matches(&['"', ','][..]).to_string(), moves);
        rest = next;
    }
    Recorded {
        playout: number(after(line, "\"playout\":")),
        ply: number(after(line, "\"ply\":")).parse().expect("a number"),
        state: strings(after(line, "\"state\":[")).0,
        legal,
    }
}

/// Symbols by their names in lower case: recordings are in lower case.
struct Names(BTreeMap<String, Vec<Symbol>>);

impl Names {
    fn new(rules: &Rules) -> Names {
        let mut names: BTreeMap<String, Vec<Symbol>> = BTreeMap::new();
        for number in 0..rules.symbols.len() {
            let symbol = Symbol(number as u32);
            names.entry(rules.name(symbol).to_lowercase()).or_default().push(symbol);
        }
        Names(names)
    }

    fn symbols(&self, name: &str) -> &[Symbol] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    fn fits(&self, term: &gdl::Term, domain: Domain) -> bool {
        let name = term.name().expect("recorded terms are ground");
        let arguments = term.arguments();
        domain.is_open()
            || self.symbols(name).iter().any(|&name| {
                if arguments.is_empty() {
                    return domain.constants().contains(&name);
                }
                let functor = Functor { name, arity: arguments.len() };
                let inner = |(i, t)| domain.argument(functor, i).is_some_and(|d| self.fits(t, d));
                arguments.iter().enumerate().all(inner)
            })
    }
}

fn ground(text: &str) -> gdl::Term {
    gdl::parse_kif(text).sheet.clauses.into_iter().next().expect("a term").head
}

#[test]
fn analyses_agree_with_recorded_games() {
    let Some(corpus) = corpus() else { return };
    let (mut controls, mut turns, mut counters) = (0, 0, 0);
    for path in sheets(&corpus.join("gdl")) {
        let stem = path.file_stem().expect("a file").to_str().expect("a plain name");
        let Ok(trace) = fs::read_to_string(corpus.join("traces").join(format!("{stem}.jsonl"))) else {
            continue;
        };
        let rules = check(&path);
        let names = Names::new(&rules);
        let domains = rules.domains();
        let lower = |symbol: Symbol| rules.name(symbol).to_lowercase();
        let functor_of = |text: &str| {
            let term = ground(text);
            (term.name().expect("ground").to_string(), term.arguments().len())
        };
        let (control, counter, persistence) = (rules.control(), rules.counters(), rules.persistence());
        controls += control.len();
        turns += control.iter().filter(|c| c.takes_turns(&rules.roles)).count();
        counters += counter.len();
        let mut before: Option<Recorded> = None;
        for now in trace.lines().skip(1).map(recorded) {
            for fact in &now.state {
                assert!(
                    names.fits(&ground(fact), domains.fluents()),
                    "{stem}: {fact} is in the domain of fluents"
                );
            }
            for action in now.legal.values().flatten() {
                assert!(
                    names.fits(&ground(action), domains.moves()),
                    "{stem}: {action} is in the domain of moves"
                );
            }
            for control in &control {
                let name = lower(control.fluent.name);
                let holders: Vec<&String> =
                    now.state.iter().filter(|f| functor_of(f) == (name.clone(), 1)).collect();
                assert_eq!(holders.len(), 1, "{stem}: one role has {name}");
                let holder = ground(holders[0]).arguments()[0].to_string();
                for passive in control.passive.iter().filter(|p| lower(p.control) == holder) {
                    let Term::Constant(only) = passive.only else { continue };
                    assert_eq!(
                        now.legal[&lower(passive.role)],
                        [lower(only)],
                        "{stem}: {now}",
                        now = now.ply
                    );
                }
            }
            for counter in counter.iter().filter(|c| !c.values.is_empty()) {
                let length = counter.values.len();
                let place = match counter.repeats {
                    Some(start) if now.ply >= length => start + (now.ply - start) % (length - start),
                    _ => now.ply,
                };
                let expected = counter
                    .values
                    .get(place)
                    .map(|v| format!("({} {})", lower(counter.fluent.name), lower(*v)));
                let name = (lower(counter.fluent.name), 1);
                let found = now.state.iter().find(|f| functor_of(f) == name).cloned();
                assert_eq!(found, expected, "{stem}: counter at ply {}", now.ply);
            }
            let linked = before.as_ref().filter(|b| b.playout == now.playout && b.ply + 1 == now.ply);
            for fluent in persistence.iter().filter(|p| p.persists >= Persists::Forever) {
                let name = (lower(fluent.fluent.name), fluent.fluent.arity);
                let of = |r: &Recorded| -> Vec<String> {
                    r.state.iter().filter(|f| functor_of(f) == name).cloned().collect()
                };
                if let Some(before) = linked {
                    let (old, new) = (of(before), of(&now));
                    assert!(old.iter().all(|f| new.contains(f)), "{stem}: {name:?} persists");
                    assert!(
                        fluent.persists < Persists::Constant || old == new,
                        "{stem}: {name:?} is constant"
                    );
                }
            }
            before = Some(now);
        }
    }
    println!("{controls} control fluents ({turns} with turns proven), {counters} counters");
}
