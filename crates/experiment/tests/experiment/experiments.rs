//! Experiments: what their files may say, and what a small one finds.

use std::path::{Path, PathBuf};

use experiment::{
    Cluster, Experiment, Foresight, Outcome, Outcomes, PartKind, RunPart, Variant, Verdict, judge, list,
    report, run_part, submit,
};
use game::StopToken;
use library::Library;
use tournament::{Comparison, Plan, RunOptions};

pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

pub(super) fn run(experiment: &Experiment) -> Outcomes {
    let library = Library::embedded();
    let how = RunPart {
        library: &library,
        store: None,
        options: RunOptions { jobs: 2, stop: StopToken::default() },
        progress: &|_| (),
        tell: &|_| {},
    };
    experiment.parts.iter().map(|part| run_part(part, &how).unwrap()).collect()
}

pub(super) fn parse(text: &str, variant: Variant) -> Result<Experiment, tournament::BadSpec> {
    Experiment::parse("experiment.toml", text, "small", &folder(), variant, &Library::embedded())
}

#[test]
fn every_experiment_of_the_repository_can_be_read() {
    let found = list(&folder()).unwrap();
    assert!(found.iter().any(|found| found.name == "tic_tac_toe_random"));
    for one in found {
        assert!(!one.title.is_empty() && !one.source.is_empty(), "{}", one.name);
        for variant in [Variant::Quick, Variant::Full] {
            if let Err(bad) = Experiment::read(&one.path, variant, &Library::embedded()) {
                panic!("{bad}");
            }
        }
    }
}

#[test]
fn random_tic_tac_toe_agrees_with_exact_counting() {
    let experiment =
        Experiment::read(&folder().join("tic_tac_toe_random"), Variant::Quick, &Library::embedded()).unwrap();
    let outcomes = run(&experiment);
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    assert!(judged.iter().all(|found| found.verdict == Verdict::Agrees && found.expected), "{judged:#?}");
    let page = report(&experiment, &outcomes, &Foresight::unknown());
    assert!(page.markdown().contains("3 of 3 derived figures agree with ours."), "{}", page.markdown());
    // What is kept is read again, matches from archives and from full results.
    let kept = super::scratch("outcomes");
    let read = || experiment.parts.iter().map(|part| Outcome::read(part, &kept).unwrap()).collect();
    for (part, outcome) in experiment.parts.iter().zip(&outcomes) {
        outcome.as_ref().unwrap().keep(part, None, &kept).unwrap();
    }
    let again: Outcomes = read();
    assert_eq!(report(&experiment, &again, &Foresight::unknown()).html(), page.html());
    for (part, outcome) in experiment.parts.iter().zip(&outcomes) {
        if matches!(part.kind, PartKind::Tournament(_)) {
            std::fs::remove_file(kept.join(Outcome::file(part))).unwrap();
            let full = format!("{}.jsonl", part.name);
            std::fs::write(kept.join(full), outcome.as_ref().unwrap().write()).unwrap();
        }
    }
    assert_eq!(report(&experiment, &read(), &Foresight::unknown()).html(), page.html());
}

/// A sample of the larger experiments: those parts of their quick variants that take a moment.
#[test]
fn quick_parts_of_larger_experiments_are_as_foreseen() {
    for (name, parts) in [
        ("hnefatafl", &["nobody-moves", "random-5"][..]),
        ("connect_four_random", &["matches"]),
        ("simultaneous_krieg_random", &["playouts", "matches"]),
    ] {
        let path = folder().join(name);
        let mut experiment = Experiment::read(&path, Variant::Quick, &Library::embedded()).unwrap();
        experiment.parts.retain(|part| parts.contains(&part.name.as_str()));
        experiment.figures.retain(|figure| parts.contains(&figure.part.as_str()));
        experiment.claims.clear();
        assert_eq!(experiment.parts.len(), parts.len(), "{name}");
        let judged = judge(&experiment, &run(&experiment), &Foresight::unknown());
        assert!(!judged.is_empty() && judged.iter().all(|found| found.expected), "{name}: {judged:#?}");
    }
}

#[test]
fn a_published_score_agrees_where_it_is_in_the_interval_of_ours() {
    let part = "title = \"t\"\nsource = \"s\"\n[[part]]\nname = \"a\"\ngames = [\"tic_tac_toe\"]\n\
                players = [\"random\"]\nself_play = true\nmatches = 600\n";
    let figure = |value: f64| {
        format!("[[figure]]\nlabel = \"f\"\npart = \"a\"\nmeasure = \"score\"\nvalue = {value}\n")
    };
    // The first player scores 64.8 % between random players.
    let experiment = parse(&format!("{part}{}{}", figure(0.648), figure(0.45)), Variant::Full).unwrap();
    let verdicts: Vec<Verdict> = judge(&experiment, &run(&experiment), &Foresight::unknown())
        .iter()
        .map(|found| found.verdict)
        .collect();
    assert_eq!(verdicts, [Verdict::Agrees, Verdict::Differs]);
}

#[test]
fn another_run_is_compared_with_what_is_kept() {
    let text = SMALL.to_string()
        + "[[part]]\nname = \"b\"\nkind = \"playouts\"\ngame = \"tic_tac_toe\"\nplayouts = 10\n";
    let experiment = parse(&text, Variant::Quick).unwrap();
    let kept = super::scratch("compared");
    let outcomes: Vec<Outcome> = run(&experiment).into_iter().flatten().collect();
    let compare = |outcome: &Outcome, at: usize| outcome.compare(&experiment.parts[at], &kept).unwrap();
    for (at, outcome) in outcomes.iter().enumerate() {
        assert_eq!(compare(outcome, at), None, "nothing is kept");
        outcome.keep(&experiment.parts[at], None, &kept).unwrap();
        assert_eq!(compare(outcome, at), Some(Comparison::Same));
        assert!(experiment.parts[at].is_repeatable());
    }
    let (Outcome::Tournament(plan, results), Outcome::Playouts(counts)) = (&outcomes[0], &outcomes[1]) else {
        panic!("matches and random games")
    };
    let mut longer = results.clone();
    longer.matches[3].steps += 1;
    let longer = Outcome::Tournament(plan.clone(), longer);
    assert_eq!(compare(&longer, 0), Some(Comparison::Differs { matches: vec![3] }));
    let mut more = counts.clone();
    more.steps += 1;
    assert_eq!(compare(&Outcome::Playouts(more), 1), Some(Comparison::Differs { matches: Vec::new() }));
    let archived = Outcome::read(&experiment.parts[0], &kept).unwrap().unwrap();
    assert!(archived.keep(&experiment.parts[0], None, &kept).is_err(), "its digest cannot be told");
}

pub(super) const SMALL: &str = r#"
title = "Small"
source = "nobody"

[[part]]
name = "a"
games = ["tic_tac_toe"]
players = ["random", "lookahead"]
lineups = [["lookahead", "random"]]
matches = 300
quick = { matches = 20 }

[[figure]]
label = "a figure that nobody can get"
part = "a"
counts = [10, 10, 280]
expect = "differs"
why = "it was made up"

[[figure]]
label = "a bound"
part = "a"
measure = "wins"
at_least = 0.5
origin = "claim"
"#;

#[test]
fn made_up_figures_differ_and_a_quick_run_may_miss_it() {
    let experiment = parse(SMALL, Variant::Full).unwrap();
    let judged = judge(&experiment, &run(&experiment), &Foresight::unknown());
    assert_eq!(
        judged.iter().map(|found| found.verdict).collect::<Vec<_>>(),
        [Verdict::Differs, Verdict::Agrees]
    );
    assert!(judged.iter().all(|found| found.expected));
    let naive = parse(&SMALL.replace("expect = \"differs\"", ""), Variant::Full).unwrap();
    assert!(
        !judge(&naive, &run(&naive), &Foresight::unknown())[0].expected,
        "a difference that was not foreseen"
    );
    let quick = parse(SMALL, Variant::Quick).unwrap();
    let PartKind::Tournament(ready) = &quick.parts[0].kind else { panic!("a tournament") };
    assert_eq!(ready.plan().len(), 20);
}

#[test]
fn a_report_says_where_nothing_is_claimed() {
    let open = SMALL.replace("expect = \"differs\"", "expect = \"either\"");
    let experiment = parse(&open, Variant::Full).unwrap();
    let outcomes = run(&experiment);
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    assert!(!judged[0].claimed && judged[0].expected && judged[1].claimed);
    let page = report(&experiment, &outcomes, &Foresight::unknown()).markdown();
    assert!(page.contains("differs; nothing was claimed"), "{page}");
    assert!(page.contains("0 of 1 published figures agree with ours, 1 differs, for reasons given below;\nnothing was claimed of it."), "{page}");
}

#[test]
fn a_figure_may_be_known_to_be_missing_but_must_then_be() {
    let text = SMALL.replace("expect = \"differs\"", "expect = \"missing\"");
    let experiment = parse(&text, Variant::Full).unwrap();
    assert!(!judge(&experiment, &run(&experiment), &Foresight::unknown())[0].expected, "it is there");
    let nothing = vec![None; experiment.parts.len()];
    let judged = judge(&experiment, &nothing, &Foresight::unknown());
    assert_eq!((judged[0].verdict, judged[0].expected), (Verdict::Missing, true));
    assert!(!judged[1].expected, "of the other nothing was said");
    assert!(report(&experiment, &nothing, &Foresight::unknown()).markdown().contains("missing, as expected"));
}

#[test]
fn words_and_plots_take_their_figures_from_the_results() {
    let text = SMALL.replace(
        "at_least = 0.5",
        "at_least = 0.5\nid = \"wins\"\nplot = \"strength\"\nline = \"tic-tac-toe\"\nx = 2",
    ) + "[[plot]]\nname = \"strength\"\ncaption = \"How strong\"\ny = \"wins\"\n";
    let mut experiment = parse(&text, Variant::Quick).unwrap();
    let words = "## Found\n\nIt wins {{wins.value}} of\n{{wins.matches}}, or {{wins}}; {{later}}.\n\n- a\n  b\n- c\n\n{{plot strength}}\n";
    experiment.words = Some(words.to_string());
    let outcomes = run(&experiment);
    let page = report(&experiment, &outcomes, &Foresight::unknown());
    let markdown = page.markdown();
    let judged = judge(&experiment, &outcomes, &Foresight::unknown());
    let (won, share) = (&judged[1].short, &judged[1].alone);
    assert!(share.ends_with(" %") && !share.contains('.') && won.starts_with(share.as_str()), "{won}");
    let begin = format!(
        "# Small\n\n## Found\n\nIt wins {share} of 20, or {won}; –.\n\n- a b\n- c\n\n![How strong](strength.svg)\n"
    );
    assert!(markdown.starts_with(&begin), "{begin}\n{markdown}");
    let plots = page.plots();
    assert_eq!(plots.iter().filter(|(name, _)| name == "strength.svg").count(), 1);
}

#[test]
fn a_quick_variant_may_leave_out_a_part_with_its_figures() {
    let text = SMALL.replace("quick = { matches = 20 }", "quick = { skip = true }")
        + "[[part]]\nname = \"b\"\nkind = \"playouts\"\ngame = \"tic_tac_toe\"\nplayouts = 10\n";
    let quick = parse(&text, Variant::Quick).unwrap();
    assert_eq!((quick.parts.len(), quick.figures.len()), (1, 0));
    let full = parse(&text, Variant::Full).unwrap();
    assert_eq!((full.parts.len(), full.figures.len()), (2, 2));
}

#[test]
fn a_submission_holds_plans_tasks_and_a_script() {
    let work = super::scratch("submission");
    let experiment = parse(SMALL, Variant::Full).unwrap();
    let made = submit(&experiment, &Cluster::slurm("").unwrap(), 7, Path::new("/opt/tafl"), &work).unwrap();
    assert_eq!(made.tasks.len(), 7);
    let script = std::fs::read_to_string(made.script.unwrap()).unwrap();
    assert!(
        script.contains("#SBATCH --array=0-6\n") && script.contains("exec '/opt/tafl' \"${words[@]}\""),
        "{script}"
    );
    let tasks = std::fs::read_to_string(work.join("tasks.txt")).unwrap();
    assert_eq!(tasks.lines().next(), Some("worker --plan a/plan.json --shard 0/7 --out a/parts"));
    let plan = std::fs::read_to_string(work.join("a/plan.json")).unwrap();
    assert_eq!(Plan::read(&plan, "plan.json").unwrap().len(), 300);
    let made = submit(&experiment, &Cluster::Condor, 2, Path::new("/opt/tafl"), &work).unwrap();
    let script = std::fs::read_to_string(made.script.unwrap()).unwrap();
    assert!(script.contains("queue words from tasks.txt"), "{script}");
}

#[test]
fn options_of_the_cluster_go_into_the_script() {
    let work = super::scratch("sbatch");
    let experiment = parse(SMALL, Variant::Full).unwrap();
    let cluster = Cluster::slurm("--partition=long --time 2:00:00  --mem=4G").unwrap();
    let made = submit(&experiment, &cluster, 3, Path::new("/opt/tafl"), &work).unwrap();
    let script = std::fs::read_to_string(made.script.unwrap()).unwrap();
    let options: Vec<&str> = script.lines().filter(|line| line.starts_with("#SBATCH")).collect();
    let (ours, given) = options.split_at(options.len() - 3);
    assert_eq!(given, ["#SBATCH --partition=long", "#SBATCH --time 2:00:00", "#SBATCH --mem=4G"]);
    assert!(ours.contains(&"#SBATCH --requeue"), "{script}");
    assert!(script.contains(" --jobs \"${SLURM_CPUS_PER_TASK:-1}\"\n"), "{script}");
    // Slurm reads options up to the first command.
    let command = script.find("\ncd ").unwrap();
    assert!(script.rfind("#SBATCH").unwrap() < command, "{script}");
    assert!(Cluster::slurm("long").unwrap_err().to_string().starts_with("`long` is not an option of sbatch"));
    assert!(
        Cluster::slurm("--mem=4G --array=0-3").unwrap_err().to_string().contains("would leave tasks out")
    );
}
