//! Players of hidden information by name.

use belief::{Cheat, Settings};
use game::{Deadline, Game, Observation, Player, Seed};

use crate::fog::{circuit, context};

#[test]
fn parameters_are_given_by_place_and_by_name() {
    let players = players::registry::<reasoner::CircuitGame>();
    for spec in [
        "hyperplay",
        "hyperplay(16,16)",
        "hyperplay(16,16,weight)",
        "hyperplay(16,remedy=balance,weights=even)",
        "hyperplay2(4,2,4,2)",
        "hyperplay2(4,2,4,2,full)",
        "hyperplay2(4,2,4,2,depth=3)",
        "cheat(16,16)",
        "pomcp",
        "pomcp(1000,64,c=0.5)",
        "pomcp(exact=0)",
        "pomcp(1000,histories=0,floor=0.2)",
        "cfr",
        "cfr(rounds=100,gap=0.1)",
        "ismcts(1000,64,0.7,random)",
        "ismcts(1000,histories=50)",
        "oos(1000,64,explore=0.3,target=0.5)",
        "oos(1000,histories=50)",
    ] {
        assert!(players.make(spec, &()).is_ok(), "{spec}");
    }
    let wrong = |spec: &str| players.make(spec, &()).err().unwrap().to_string();
    assert!(wrong("hyperplay(0,1)").contains("`models` must be a number from 1"));
    assert!(
        wrong("hyperplay(remedy=sugar)").contains("must be one of `base`, `weight`, `balance`, not `sugar`.")
    );
    assert!(wrong("hyperplay2(games=x)").contains("`games` must be a number"));
}

#[test]
fn the_cheat_plays_only_where_it_is_shown_everything() {
    let game = circuit("exploding_bomb");
    let find = |role, text: &str| game.find_move(game::RoleId(role), text).unwrap();
    let noop = find(0, "noop");
    let mut cheat = Cheat::new(Settings { playouts: Some(4), ..Settings::default() });
    cheat.start(&game, &context(0, Seed(1)), &Deadline::never()).unwrap();
    let told = Observation { own: noop, percepts: vec![], joint: None };
    assert!(cheat.update(&told).is_err());
    for color in ["red", "blue"] {
        let armed = find(1, &format!("(arm {color})"));
        cheat.start(&game, &context(0, Seed(1)), &Deadline::never()).unwrap();
        let wait = find(0, "wait");
        for (own, nature) in [(noop, armed), (wait, find(1, "noop"))] {
            cheat.update(&Observation { own, percepts: vec![], joint: Some(vec![own, nature]) }).unwrap();
        }
        let cut = cheat.select(&Deadline::never()).unwrap();
        assert_eq!(game.move_text(game::RoleId(0), cut), format!("(cut {color})"));
    }
}
