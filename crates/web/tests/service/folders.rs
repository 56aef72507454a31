//! Folders of games beside the library, and stylesheets.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{Up, With, asked, fresh_file};

/// A row of three squares that two players mark in turn, and a stylesheet for it.
const MARKS: &str = "(role x) (role o)
(init (cell 1 1 b)) (init (cell 2 1 b)) (init (cell 3 1 b)) (init (control x))
(<= (legal ?p (mark ?n 1)) (true (control ?p)) (true (cell ?n 1 b)))
(<= (legal x noop) (true (control o)))
(<= (legal o noop) (true (control x)))
(<= (next (cell ?n 1 ?p)) (does ?p (mark ?n 1)))
(<= (next (cell ?n 1 ?w)) (true (cell ?n 1 ?w)) (distinct ?w b))
(<= (next (cell ?n 1 b)) (true (cell ?n 1 b)) (does ?p (mark ?m 1)) (distinct ?m ?n))
(<= (next (control o)) (true (control x)))
(<= (next (control x)) (true (control o)))
(<= open (true (cell ?n 1 b)))
(<= terminal (not open))
(goal x 100) (goal o 0)
";

const LOOK: &str = r##"<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template name="main" match="/">
<style>td { border: 2px solid #654; } .x { color: #a00; }</style>
<script>alert(1)</script>
<table onclick="alert(2)"><tr><xsl:for-each select="//fact[relation='cell']">
<xsl:sort select="argument[1]"/>
<td class="cell" style="width: 60px; background: url(http://elsewhere/x.png)"><xsl:value-of select="argument[3]"/></td>
</xsl:for-each></tr></table>
</xsl:template>
</xsl:stylesheet>"##;

/// A checkout with one game, and a folder of sheets of which one is broken.
pub fn folders() -> [PathBuf; 2] {
    let root = fresh_file("folders");
    let put = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let game = root.join("checkout/war/root/games/marks");
    put(
        &game.join("METADATA"),
        r#"{"rulesheet": "m.kif", "gameName": "Three marks", "description": "m.txt", "stylesheet": "m.xsl"}"#,
    );
    put(&game.join("m.kif"), "(role nobody)");
    put(&game.join("m.txt"), "Mark a row.\n");
    put(&game.join("m.xsl"), LOOK);
    put(&game.join("v1/m.kif"), MARKS);
    put(&root.join("sheets/own marks.v1.kif"), MARKS);
    put(&root.join("sheets/broken.kif"), "(role x) (<= (legal ?x");
    [root.join("checkout"), root.join("sheets")]
}

fn up() -> Up {
    Up::with(With { opened: folders().to_vec(), store: Some(fresh_file("m.db")), ..With::default() })
}

#[test]
fn games_of_opened_folders_are_listed_shown_and_played() {
    let up = up();
    let games = up.get("/api/v1/games").json();
    let find = |name: &str| -> Value {
        let all = games["games"].as_array().unwrap();
        all.iter().find(|game| game["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    let marks = find("checkout:marks");
    assert_eq!((&marks["title"], &marks["about"]), (&json!("Three marks"), &json!("Mark a row.")));
    assert_eq!((&marks["folder"], &marks["roles"]), (&json!("checkout"), &json!(["x", "o"])));
    assert_eq!(find("chess")["folder"], Value::Null);
    for name in ["checkout:marks", "sheets:own marks.v1"] {
        let picture = up.get(find(name)["thumbnail"].as_str().unwrap());
        assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/svg+xml")), "{name}");
    }
    assert_eq!(up.get(find("sheets:broken")["thumbnail"].as_str().unwrap()).code(), "unplayable");
    for name in ["sheets:..%2Fcheckout", "sheets:", "checkout:", "nowhere:marks", "sheets:%2Fetc%2Fpasswd"] {
        assert_eq!(up.get(&format!("/api/v1/games/{name}")).status, 404, "{name}");
    }
    let (id, keys) = up.play(&asked("checkout:marks", &[("x", "human"), ("o", "random")]));
    up.seat(&id, &keys[0]).play_out("x");
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert_eq!((&told["title"], &told["stylesheet"]), (&json!("Three marks"), &json!(true)));
    let spec = "name = \"opened\"\ngames = [\"sheets:own marks.v1\"]\nplayers = [\"random\", \"legal\"]\nmatches = 2";
    let begun = up.post("/api/v1/tournaments", &json!({ "spec": spec }));
    assert_eq!(begun.status, 201, "{}", begun.text());
}

#[test]
fn what_a_stylesheet_draws_cannot_act_or_reach_the_page() {
    let up = up();
    let (id, _) = up.play(&asked("checkout:marks", &[("x", "random"), ("o", "random")]));
    up.events(&format!("/api/v1/matches/{id}/events"), &[], |name, _| name == "end");
    let picture = up.get(&format!("/api/v1/matches/{id}/steps/3.svg?look=stylesheet"));
    assert_eq!(picture.status, 200, "{}", picture.text());
    let policy = picture.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    let svg = picture.text();
    assert_eq!(svg.matches("<td").count(), 3);
    for bad in ["script", "alert", "onclick", "elsewhere", "http://e"] {
        assert!(!svg.contains(bad), "{bad} in {svg}");
    }
    let plain = up.get(&format!("/api/v1/matches/{id}/steps/3.svg"));
    assert!(!plain.text().contains("foreignObject"));
    for bad in ["steps/3?look=stylesheet", "steps/3.svg?look=other"] {
        assert_eq!(up.get(&format!("/api/v1/matches/{id}/{bad}")).code(), "bad-query", "{bad}");
    }
    let (other, _) = up.play(&asked("tic_tac_toe", &[("x", "random"), ("o", "random")]));
    let none = up.get(&format!("/api/v1/matches/{other}/steps/0.svg?look=stylesheet"));
    assert_eq!((none.status, none.code().as_str()), (422, "no-stylesheet"));
}

#[test]
fn answers_are_squeezed_for_those_who_can_read_it() {
    let up = Up::new();
    let gzip = [("accept-encoding", "br, gzip")];
    for path in ["/", "/assets/base.css", "/api/v1/games", "/api/v1/games/chess/thumbnail.svg"] {
        let plain = up.get(path);
        let small = up.send("GET", path, &gzip, b"");
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!((small.status, small.header("content-encoding")), (200, Some("gzip")), "{path}");
        // Caches are told by those that are not compressed, too.
        assert_eq!(small.header("vary"), Some("accept-encoding"), "{path}");
        assert_eq!(plain.header("vary"), Some("accept-encoding"), "{path}");
        assert!(
            small.body.len() * 3 < plain.body.len() * 2,
            "{path}: {} of {}",
            small.body.len(),
            plain.body.len()
        );
        assert_eq!(small.body[..2], [0x1f, 0x8b], "{path}");
    }
    let tag = up.get("/assets/base.css").header("etag").unwrap().to_string();
    assert_eq!(up.send("GET", "/assets/base.css", &[gzip[0], ("if-none-match", &tag)], b"").status, 304);
    assert_eq!(up.send("GET", "/api/v1/health", &gzip, b"").header("content-encoding"), None);
    assert_eq!(up.send("GET", "/api/v1/nothing", &gzip, b"").status, 404);
}
