//! Copies: what is exported can be imported.

use std::sync::Arc;

use arena::MatchRecord;
use store::{Entry, Import};

use crate::sample::{everywhere, write};

#[test]
fn copies_move_to_another_store_and_back() {
    everywhere("from", |store| {
        everywhere("to", |other| {
            let sheet = Entry { series: None, sheet: Some(Arc::from("(role a)")) };
            write(&store, "one", sheet, true);
            write(&store, "two", Entry::default(), false);
            for key in ["one", "two"] {
                let line = serde_json::to_string(&store.export(key).unwrap()).unwrap();
                let record: MatchRecord = serde_json::from_str(&line).unwrap();
                assert_eq!(other.import(&record).unwrap(), Import::Added(key.to_string()));
                assert_eq!(other.import(&record).unwrap(), Import::Known(key.to_string()));
                assert_eq!(serde_json::to_string(&other.export(key).unwrap()).unwrap(), line);
                assert_eq!(store.import(&record).unwrap(), Import::Known(key.to_string()));
            }
            // Another match under the same id is another match.
            let mut differs = store.export("one").unwrap();
            differs.moves[0][0] = "(add 9)".to_string();
            assert_eq!(other.import(&differs).unwrap(), Import::Added("one~2".to_string()));
        })
    });
}

#[test]
fn records_of_others_are_taken() {
    everywhere("foreign", |store| {
        let text = r#"{"matchId":"tiltyard.x.1","randomToken":"t","startTime":5,"isCompleted":true,"isAborted":false,
        "states":["( ( cell 1 b ) )","( ( cell 1 x ) )"],"moves":[["( mark 1 )","noop"]],"stateTimes":[5,6],
        "errors":[["",""],["","TO"]],"goalValues":[100,0],"previewClock":-1,"startClock":10,"playClock":5,
        "gameMetaURL":"http://games.example/x/","playerNamesFromHost":["a","b"],"scrambled":true}"#;
        let record: MatchRecord = serde_json::from_str(text).unwrap();
        assert_eq!(store.import(&record).unwrap(), Import::Added("tiltyard.x.1".to_string()));
        let kept = store.find("tiltyard.x.1").unwrap();
        assert_eq!((kept.record.goal_values, kept.record.errors[1][1].as_str()), (Some(vec![100, 0]), "TO"));
    });
}
