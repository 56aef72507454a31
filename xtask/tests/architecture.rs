//! ARCHITECTURE.md says what the manifests say.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The dependencies of each package of the workspace on others of it.
type Edges = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn page() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// The name of a package and the names of its normal dependencies, optional ones included.
fn manifest(path: &Path) -> (String, BTreeSet<String>) {
    let text = fs::read_to_string(path).unwrap();
    let (mut section, mut name, mut dependencies) = ("", None, BTreeSet::new());
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else { continue };
        let key = key.trim().trim_end_matches(".workspace");
        let of_target = section.starts_with("target.") && section.ends_with(".dependencies");
        if section == "package" && key == "name" {
            name = Some(value.trim().trim_matches('"').to_string());
        } else if section == "dependencies" || of_target {
            dependencies.insert(key.to_string());
        }
    }
    (name.unwrap(), dependencies)
}

/// The edges that the manifests have.
fn manifests() -> Edges {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let folders = crates.chain([root().join("xtask")]);
    let paths = folders.map(|folder| folder.join("Cargo.toml")).filter(|path| path.is_file());
    let mut edges: Edges = paths.map(|path| manifest(&path)).collect();
    let members: BTreeSet<String> = edges.keys().cloned().collect();
    edges.values_mut().for_each(|dependencies| dependencies.retain(|name| members.contains(name)));
    edges
}

/// The texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(String::from)
}

/// The edges that the table has.
fn table(page: &str) -> Edges {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').collect();
        (quoted(cells[1]).next().unwrap(), quoted(cells[2]).collect())
    };
    rows.map(row).collect()
}

#[test]
fn the_table_of_edges_is_that_of_the_manifests() {
    let (told, found) = (table(&page()), manifests());
    let names: Vec<&String> = told.keys().collect();
    assert_eq!(names, found.keys().collect::<Vec<_>>(), "one row for each crate");
    for (name, dependencies) in &found {
        let row: Vec<String> = dependencies.iter().map(|name| format!("`{name}`")).collect();
        assert_eq!(&told[name], dependencies, "the row of `{name}` should have: {}", row.join(", "));
    }
}

#[test]
fn a_crate_comes_after_its_dependencies_in_the_picture() {
    let page = page();
    let picture = page.split("```").nth(1).unwrap();
    let words: Vec<&str> = picture.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let edges = manifests();
    let place = |name: &String| {
        let found = words.iter().position(|word| word == name);
        found.unwrap_or_else(|| panic!("`{name}` is not in the picture"))
    };
    for (name, dependencies) in &edges {
        for dependency in dependencies {
            assert!(place(dependency) < place(name), "`{name}` depends on `{dependency}`");
        }
    }
}

#[test]
fn every_crate_has_a_paragraph() {
    let page = page();
    for name in manifests().keys() {
        assert!(page.contains(&format!("\n**`{name}`: ")), "`{name}` has no paragraph");
    }
}
