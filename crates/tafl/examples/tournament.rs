//! Plays a small tournament and prints its report:
//! `cargo run --release -p tafl --features tournament --example tournament`

#![allow(clippy::print_stdout, reason = "prints the report")]

fn main() -> Result<(), tafl::Error> {
    let played = tafl::run_tournament(
        r#"
        games = ["tic_tac_toe", "connect_four"]
        players = ["mcts(playouts=50)", "lookahead", "random"]
        matches = 20
        "#,
    )?;
    println!("{}", played.report());
    Ok(())
}
