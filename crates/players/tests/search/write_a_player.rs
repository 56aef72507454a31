//! The guide for authors of players shows code as it is.

#[test]
fn every_piece_of_code_is_taken_from_the_sources() {
    let guide = include_str!("../../../../docs/write-a-player.md");
    let sources = [
        include_str!("../../examples/random_player.rs"),
        include_str!("../../examples/simple_uct.rs"),
        include_str!("../../src/lib.rs"),
    ];
    let mut pieces = 0;
    for piece in guide.split("```rust\n").skip(1) {
        let piece = piece.split("```").next().unwrap();
        assert!(sources.iter().any(|source| source.contains(piece)), "not in the sources:\n{piece}");
        pieces += 1;
    }
    assert!(pieces >= 9);
    let lines = sources[0].lines().count();
    assert!(lines <= 40, "the first player is to stay short, and has {lines} lines");
}
