//! Loads a game and plays the first legal moves to the end, in text:
//! `cargo run -p tafl --example load -- connect_four`

#![allow(clippy::print_stdout, reason = "prints the game")]

fn main() -> Result<(), tafl::Error> {
    let argument = std::env::args().nth(1).unwrap_or("tic_tac_toe".to_string());
    let game = tafl::load(&argument)?;
    println!("{}, reasoner {}", game.title(), game.reasoner());
    let mut walk = game.walk();
    let mut position = walk.position()?;
    println!("{}", position.facts.join(" "));
    while !position.terminal && position.legal.iter().all(|moves| !moves.is_empty()) {
        let joint: Vec<String> = position.legal.iter().map(|moves| moves[0].clone()).collect();
        let seen = walk.step(&joint)?;
        position = walk.position()?;
        println!("{:<30} the first role sees {}", joint.join(" "), seen[0].join(" "));
    }
    println!("{:?}", position.goals);
    Ok(())
}
