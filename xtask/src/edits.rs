//! What the variants of hnefatafl change in its rules.

use crate::boards::replace_span;

/// One change of a sheet.
pub enum Edit {
    /// A text that must be there exactly once, and what takes its place.
    Swap(&'static str, &'static str),
    /// Everything from one text to the next other one, and what takes its place; the second text stays.
    Span(&'static str, &'static str, &'static str),
}

use Edit::{Span, Swap};

impl Edit {
    /// The changed sheet.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        match self {
            Swap(old, new) => match text.matches(old).count() {
                1 => Ok(text.replace(old, new)),
                count => Err(format!("found {count} times, once expected:\n{old}")),
            },
            Span(from, to, new) => replace_span(text, from, to, new),
        }
    }
}

pub const NO_STALEMATE: &[Edit] = &[
    Swap("(<= (wins attacker)\n    king_in_play\n    (stuck defender))\n\n", ""),
    Swap("(<= (wins defender)\n    king_in_play\n    (stuck attacker))\n\n", ""),
    Span("(<= king_in_play", "(<= move_limit", ""),
    Swap("; ---- Captures\n", "(<= (legal ?role noop)\n    (stuck ?role))\n\n; ---- Captures\n"),
];

pub const NO_CAPTURES: &[Edit] = &[
    Span(
        "(<= (captured ?x ?y)\n    (true (control attacker))\n    (true (cell ?x ?y defender))",
        "; The king on or beside the throne",
        "",
    ),
    Span("; (flanked ?role", "; The king on or beside", ""),
];

pub const KING_NOT_CAPTURED: &[Edit] = &[Swap(
    "(<= (captured ?x ?y)\n    (true (control attacker))\n    (true (cell ?x ?y king))\n    (not (safe_for_king ?x ?y))\n    (flanked attacker ?x ?y))\n\n",
    "",
)];

/// The king must be surrounded wherever he stands.
pub const KILLED_ANYWHERE: &[Edit] = &[
    Span(
        "; Around the throne the king",
        "; ---- Pieces on the board",
        "; The king is safe from ordinary capture everywhere.\n\n(<= (safe_for_king ?x ?y)\n    (coordinate ?x)\n    (coordinate ?y))\n\n",
    ),
    Swap("; The king on or beside the throne: an attacker", "; The king: an attacker"),
];

pub const KING_NOT_KILLED: &[Edit] =
    &[Span("; The king on or beside the throne", "; ---- What a move does", "")];

pub const KING_STAYS: &[Edit] = &[
    Swap(
        "(<= (occupied ?x ?y)",
        "(<= (movable ?role ?x ?y)\n    (owns ?role ?x ?y)\n    (not (true (cell ?x ?y king))))\n\n(<= (occupied ?x ?y)",
    ),
    Swap(
        "    (true (control ?role))\n    (owns ?role ?x ?y)\n",
        "    (true (control ?role))\n    (movable ?role ?x ?y)\n",
    ),
    Swap(
        "(<= (legal defender (move ?x ?y ?u ?v))\n    (slides defender ?direction ?x ?y ?u ?v)\n    (throne ?u ?v)\n    (true (cell ?x ?y king)))\n\n",
        "",
    ),
    Swap(
        "(<= (can_move ?role)\n    (owns ?role ?x ?y)\n",
        "(<= (can_move ?role)\n    (movable ?role ?x ?y)\n",
    ),
    Swap(
        "    (step ?direction ?x ?y ?s ?t)\n    (owns ?role ?x ?y)\n",
        "    (step ?direction ?x ?y ?s ?t)\n    (movable ?role ?x ?y)\n",
    ),
    Span("(<= (can_move defender)", "(<= (stuck ?role)", ""),
    // He neither leaves nor arrives.
    Span("(<= king_moves\n", "(<= (next (cell ?u ?v attacker))", ""),
    Swap("    (arrives ?u ?v)\n    (not king_moves)\n", "    (arrives ?u ?v)\n"),
    Swap("(<= (next (cell ?u ?v king))\n    (arrives ?u ?v)\n    king_moves)\n\n", ""),
    Swap(
        "    (true (control defender))\n    (not king_moves)\n    (colour defender ?colour))\n\n(<= (moving ?colour)\n    king_moves\n    (colour king ?colour))\n",
        "    (true (control defender))\n    (colour defender ?colour))\n",
    ),
    Swap("(colour king dark)\n(colour king light)\n", ""),
    Swap("; the king is both. A move", "; the king does not matter. A move"),
];

pub const NOBODY_MOVES: &[Edit] = &[
    Span(
        "; ---- Moves\n",
        "(<= (next (control defender))",
        "\
; ---- Moves: everyone passes, all pieces stay, the turn passes

(<= (legal ?role noop)
    (role ?role))

(<= (next (cell ?x ?y ?piece))
    (true (cell ?x ?y ?piece)))

",
    ),
    Span(
        "; The plain way is to keep",
        "; The moments 1 to 499",
        "; Nothing ever changes: every earlier board is the same as this one.\n;\n",
    ),
    Swap("(<= capture\n    (captured ?x ?y))\n\n", ""),
    Swap("    (now ?moment)\n    (not capture))", "    (now ?moment))"),
    Swap("    (true (kept ?moment))\n    (not capture))", "    (true (kept ?moment)))"),
    Span("(<= (apart ?moment", "(<= (same ?moment)", ""),
    Swap("    (true (kept ?moment))\n    (not (different ?moment)))", "    (true (kept ?moment)))"),
    Span("; A role can move when", "(<= (wins attacker)\n    (not king_alive))", ""),
    Swap("(<= (wins attacker)\n    king_in_play\n    (stuck defender))\n\n", ""),
    Swap("(<= (wins defender)\n    king_in_play\n    (stuck attacker))\n\n", ""),
    Span("(<= king_in_play", "(<= move_limit", ""),
    Swap("(throne 7 7)\n\n", ""),
    Span("; Around the throne", "; ---- Pieces on the board", ""),
    Span("; ---- Pieces on the board", "; ---- Moves", ""),
];

pub const JUMPS: &[Edit] = &[
    Span(
        "; (slides ?role",
        "(<= (legal ?role noop)",
        "\
; A piece goes to any square but its own; only the king stops on the throne.

(<= (legal ?role (move ?x ?y ?u ?v))
    (true (control ?role))
    (owns ?role ?x ?y)
    (elsewhere ?x ?y ?u ?v)
    (not (throne ?u ?v)))

(<= (legal defender (move ?x ?y ?u ?v))
    (true (control defender))
    (true (cell ?x ?y king))
    (throne ?u ?v)
    (elsewhere ?x ?y ?u ?v))

(<= (elsewhere ?x ?y ?u ?v)
    (coordinate ?x)
    (coordinate ?y)
    (coordinate ?u)
    (coordinate ?v)
    (distinct (square ?x ?y) (square ?u ?v)))

",
    ),
    // The far side may be the square that the piece comes from.
    Swap("    (hostile ?role ?s ?t))\n", "    (hostile ?role ?s ?t)\n    (stays_hostile ?s ?t))\n"),
    Swap(
        "; (flanked ?role",
        "\
; (stays_hostile ?x ?y): the piece there does not leave, or leaves the throne.

(<= (stays_hostile ?x ?y)
    (coordinate ?x)
    (coordinate ?y)
    (not (leaves ?x ?y)))

(<= (stays_hostile ?x ?y)
    (throne ?x ?y))

; (flanked ?role",
    ),
    Swap(
        "; The king on or beside the throne: an attacker",
        "\
; Whoever stands where a piece arrives.

(<= (captured ?x ?y)
    (arrives ?x ?y)
    (occupied ?x ?y))

; The king on or beside the throne: an attacker",
    ),
    Swap(
        "; ---- What a move does",
        "\
(<= (way_out ?x ?y)
    (safe_for_king ?x ?y)
    (step ?direction ?x ?y ?u ?v)
    (leaves ?u ?v))

; ---- What a move does",
    ),
    Span(
        "; A role can move when",
        "(<= (stuck ?role)",
        "; A role can move while it has a piece.\n\n(<= (can_move ?role)\n    (owns ?role ?x ?y))\n\n",
    ),
];

/// No history at all.
pub const NO_HISTORY: &[Edit] = &[
    Span("; ---- Repetition", "; ---- The end", ""),
    Swap("(<= (wins ?role)\n    third_time\n    (true (control ?role)))\n\n", ""),
];

/// Nothing asks whether a board has come back.
pub const NOT_THIRD: &[Edit] =
    &[Swap("    (not king_escaped)\n    (not third_time))", "    (not king_escaped))")];

pub const ENCIRCLEMENT: &[Edit] = &[
    Swap(
        "(<= move_limit\n",
        "\
; (open ?x ?y): no attacker stands here, and the edge can be reached from here
; over squares without attackers.

(<= (open ?x ?y)
    (edge ?x ?y)
    (not (true (cell ?x ?y attacker))))

(<= (open ?x ?y)
    (open ?u ?v)
    (step ?direction ?x ?y ?u ?v)
    (not (true (cell ?x ?y attacker))))

(<= one_in_the_open
    (owns defender ?x ?y)
    (open ?x ?y))

(<= move_limit
",
    ),
    Swap(
        "(<= (wins defender)\n    king_escaped)\n",
        "\
(<= (wins attacker)
    king_in_play
    (true (control defender))
    (not one_in_the_open))

(<= (wins defender)
    king_escaped)
",
    ),
];

/// All boards are kept, and the board is compared with each of them.
pub const PLAIN_HISTORY: &[Edit] = &[
    Span(
        "; The plain way is to keep",
        "; The moments 1 to 499",
        "; Every board is kept, and the board is compared with all of them.\n;\n",
    ),
    Span(
        "(<= capture\n",
        "; (same ?moment)",
        "\
(<= (next (kept ?moment))
    (now ?moment))

(<= (next (kept ?moment))
    (true (kept ?moment)))

; (was ?moment ?x ?y ?piece): the piece that stood there then.

(<= (next (was ?moment ?x ?y ?piece))
    (now ?moment)
    (true (cell ?x ?y ?piece)))

(<= (next (was ?moment ?x ?y ?piece))
    (true (was ?moment ?x ?y ?piece)))

",
    ),
    Span(
        "(<= (different ?moment)",
        "(<= (same ?moment)",
        "\
(<= (different ?moment)
    (true (was ?moment ?x ?y ?piece))
    (not (true (cell ?x ?y ?piece))))

(<= (different ?moment)
    (true (kept ?moment))
    (true (cell ?x ?y ?piece))
    (not (true (was ?moment ?x ?y ?piece))))

",
    ),
    Span(
        "(<= repeated\n",
        "; ---- The end",
        "\
(<= third_time
    (same ?moment)
    (same ?other)
    (distinct ?moment ?other))

",
    ),
];
