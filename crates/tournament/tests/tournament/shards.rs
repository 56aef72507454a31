//! Shards: damaged ones are found and mended, and sequential tests end in them
//! where they end everywhere.

use std::fs;

use tournament::{Keep, Quiet, Shard, collect, run, work};

use super::{SMALL, options, read, scratch};

#[test]
fn a_damaged_shard_is_told_and_mended() {
    let ready = read(SMALL).unwrap();
    let plan = ready.plan();
    let parts = scratch("damaged");
    let shards: Vec<Shard> = (0..3).map(|index| Shard { index, count: 3 }).collect();
    for shard in &shards {
        work(&ready, *shard, &parts, &options(2), &|_, _| ()).unwrap().unwrap();
    }
    let whole = collect(plan, &parts).unwrap();
    assert!(whole.results.complete && whole.damaged.is_empty());
    let path = parts.join(shards[1].file(plan));
    let good = fs::read(&path).unwrap();
    let lines = good.iter().filter(|byte| **byte == b'\n').count() as u64;
    let half = good.len() / 2;
    let strange = [&good[..half], b"\xff\xfe\n", &good[half..]].concat();
    let doubled = [&good[..], &good[..]].concat();
    let damages = [(&good[..half], false), (&good[..0], false), (&strange[..], false), (&doubled[..], true)];
    for (damage, complete) in damages {
        fs::write(&path, damage).unwrap();
        let found = collect(plan, &parts).unwrap();
        assert_eq!(found.results.complete, complete);
        let [damaged] = &found.damaged[..] else { panic!("{:?}", found.damaged) };
        assert_eq!((damaged.shard, damaged.planned), (shards[1], lines));
        assert!(damaged.file == shards[1].file(plan) && (damaged.found < lines) != complete, "{damaged:?}");
        work(&ready, shards[1], &parts, &options(2), &|_, _| ()).unwrap().unwrap();
        assert_eq!(fs::read(&path).unwrap(), good, "it is as it was");
        assert!(collect(plan, &parts).unwrap().damaged.is_empty());
    }
}

#[test]
fn a_sequential_test_gives_the_same_file_in_one_run_and_in_shards() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"lookahead\", \"random\"]\nmatches = 400\nseed = 4\nsprt = { elo0 = 0, elo1 = 50 }\n";
    let ready = read(spec).unwrap();
    let plan = ready.plan();
    let alone = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    assert!(alone.complete && alone.matches.len() < 200, "{}", alone.matches.len());
    let parts = scratch("sprt");
    let shard = |index| work(&ready, Shard { index, count: 2 }, &parts, &options(2), &|_, _| ());
    shard(0).unwrap().unwrap();
    let half = collect(plan, &parts).unwrap().results;
    assert!(!half.complete, "every other match is missing");
    shard(1).unwrap().unwrap();
    let collected = collect(plan, &parts).unwrap().results;
    assert_eq!(collected.write(plan), alone.write(plan));
    assert_eq!(tournament::report::bundle(plan, &collected), tournament::report::bundle(plan, &alone));
}
