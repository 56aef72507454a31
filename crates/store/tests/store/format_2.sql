PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE sheets (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
INSERT INTO sheets VALUES(1,replace('(role a)\n(role b)','\n',char(10)));
CREATE TABLE series (
         name TEXT PRIMARY KEY, created INTEGER NOT NULL, plan TEXT NOT NULL
     ) WITHOUT ROWID;
INSERT INTO series VALUES('s',1795013733264,'{"game":"sum","matches":2}');
CREATE TABLE matches (
         id INTEGER PRIMARY KEY,
         key TEXT NOT NULL UNIQUE,
         match_id TEXT NOT NULL,
         series TEXT REFERENCES series (name),
         number INTEGER,
         game TEXT NOT NULL,
         created INTEGER NOT NULL,
         sheet INTEGER REFERENCES sheets (id),
         opening TEXT NOT NULL,
         UNIQUE (series, number)
     );
INSERT INTO matches VALUES(1,'s.0','s.0','s',0,'sum',1700000000000,1,'{"recordVersion":2,"matchId":"s.0","randomToken":"","game":"sum","roles":["a","b"],"playerNamesFromHost":["x","y"],"seed":18446744073709551615,"reasoner":"","previewClock":-1,"startClock":1,"playClock":1,"scrambled":false,"isCompleted":false,"isAborted":false,"ending":{"kind":"open"},"states":[],"moves":[],"errors":[],"goals":[],"startTime":1700000000000,"stateTimes":[],"thinkingTimes":[]}');
INSERT INTO matches VALUES(2,'s.1','s.1','s',1,'sum',1700000000000,1,'{"recordVersion":2,"matchId":"s.1","randomToken":"","game":"sum","roles":["a","b"],"playerNamesFromHost":["x","y"],"seed":18446744073709551615,"reasoner":"","previewClock":-1,"startClock":1,"playClock":1,"scrambled":false,"isCompleted":false,"isAborted":false,"ending":{"kind":"open"},"states":[],"moves":[],"errors":[],"goals":[],"startTime":1700000000000,"stateTimes":[],"thinkingTimes":[]}');
INSERT INTO matches VALUES(3,'alone','alone',NULL,NULL,'sum',1700000000000,NULL,'{"recordVersion":2,"matchId":"alone","randomToken":"","game":"sum","roles":["a","b"],"playerNamesFromHost":["x","y"],"seed":18446744073709551615,"reasoner":"","previewClock":-1,"startClock":1,"playClock":1,"scrambled":false,"isCompleted":false,"isAborted":false,"ending":{"kind":"open"},"states":[],"moves":[],"errors":[],"goals":[],"startTime":1700000000000,"stateTimes":[],"thinkingTimes":[]}');
INSERT INTO matches VALUES(4,'alone~2','alone',NULL,NULL,'sum',1700000000000,NULL,'{"recordVersion":2,"matchId":"alone","randomToken":"","game":"sum","roles":["a","b"],"playerNamesFromHost":["x","y"],"seed":18446744073709551615,"reasoner":"","previewClock":-1,"startClock":1,"playClock":1,"scrambled":false,"isCompleted":false,"isAborted":false,"ending":{"kind":"open"},"states":[],"moves":[],"errors":[],"goals":[],"startTime":1700000000000,"stateTimes":[],"thinkingTimes":[]}');
CREATE TABLE steps (
         match INTEGER NOT NULL REFERENCES matches (id),
         number INTEGER NOT NULL,
         step TEXT NOT NULL,
         PRIMARY KEY (match, number)
     ) WITHOUT ROWID;
INSERT INTO steps VALUES(1,0,'{"moves":[],"state":"((sum 0))","errors":["",""],"time":1700000000000,"thinking":[1,2]}');
INSERT INTO steps VALUES(1,1,'{"moves":["(add 1)","noop"],"state":"((sum 1))","errors":["",""],"time":1700000000001,"thinking":[1,2]}');
INSERT INTO steps VALUES(1,2,'{"moves":["(add 2)","noop"],"state":"((sum 2))","errors":["","TO"],"time":1700000000002,"thinking":[1,2]}');
INSERT INTO steps VALUES(1,3,'{"moves":["(add 3)","noop"],"state":"((sum 3))","errors":["",""],"time":1700000000003,"thinking":[1,2]}');
INSERT INTO steps VALUES(2,0,'{"moves":[],"state":"((sum 0))","errors":["",""],"time":1700000000000,"thinking":[1,2]}');
INSERT INTO steps VALUES(2,1,'{"moves":["(add 1)","noop"],"state":"((sum 1))","errors":["",""],"time":1700000000001,"thinking":[1,2]}');
INSERT INTO steps VALUES(2,2,'{"moves":["(add 2)","noop"],"state":"((sum 2))","errors":["","TO"],"time":1700000000002,"thinking":[1,2]}');
INSERT INTO steps VALUES(2,3,'{"moves":["(add 3)","noop"],"state":"((sum 3))","errors":["",""],"time":1700000000003,"thinking":[1,2]}');
INSERT INTO steps VALUES(3,0,'{"moves":[],"state":"((sum 0))","errors":["",""],"time":1700000000000,"thinking":[1,2]}');
INSERT INTO steps VALUES(3,1,'{"moves":["(add 1)","noop"],"state":"((sum 1))","errors":["",""],"time":1700000000001,"thinking":[1,2]}');
INSERT INTO steps VALUES(3,2,'{"moves":["(add 2)","noop"],"state":"((sum 2))","errors":["","TO"],"time":1700000000002,"thinking":[1,2]}');
INSERT INTO steps VALUES(3,3,'{"moves":["(add 3)","noop"],"state":"((sum 3))","errors":["",""],"time":1700000000003,"thinking":[1,2]}');
INSERT INTO steps VALUES(4,0,'{"moves":[],"state":"((sum 0))","errors":["",""],"time":1700000000000,"thinking":[1,2]}');
INSERT INTO steps VALUES(4,1,'{"moves":["(add 1)","noop"],"state":"((sum 1))","errors":["",""],"time":1700000000001,"thinking":[1,2]}');
INSERT INTO steps VALUES(4,2,'{"moves":["(add 2)","noop"],"state":"((sum 2))","errors":["","TO"],"time":1700000000002,"thinking":[1,2]}');
INSERT INTO steps VALUES(4,3,'{"moves":["(add 3)","noop"],"state":"((sum 3))","errors":["",""],"time":1700000000003,"thinking":[1,2]}');
CREATE TABLE ends (
         match INTEGER PRIMARY KEY REFERENCES matches (id),
         finished INTEGER NOT NULL,
         end TEXT NOT NULL
     );
INSERT INTO ends VALUES(1,1700000000003,'{"isCompleted":true,"isAborted":false,"ending":{"kind":"terminal"},"goalValues":[100,0],"goals":[100,0],"allGoals":null}');
INSERT INTO ends VALUES(3,1700000000003,'{"isCompleted":true,"isAborted":false,"ending":{"kind":"terminal"},"goalValues":[100,0],"goals":[100,0],"allGoals":null}');
CREATE INDEX matches_by_id ON matches (match_id);
CREATE TRIGGER matches_stay BEFORE UPDATE ON matches BEGIN SELECT RAISE(ABORT, 'matches stay'); END;
CREATE TRIGGER matches_last BEFORE DELETE ON matches BEGIN SELECT RAISE(ABORT, 'matches stay'); END;
CREATE TRIGGER steps_stay BEFORE UPDATE ON steps BEGIN SELECT RAISE(ABORT, 'steps stay'); END;
CREATE TRIGGER steps_last BEFORE DELETE ON steps BEGIN SELECT RAISE(ABORT, 'steps stay'); END;
CREATE TRIGGER ends_stay BEFORE UPDATE ON ends BEGIN SELECT RAISE(ABORT, 'ends stay'); END;
CREATE TRIGGER ends_last BEFORE DELETE ON ends BEGIN SELECT RAISE(ABORT, 'ends stay'); END;
CREATE TRIGGER series_stay BEFORE UPDATE ON series BEGIN SELECT RAISE(ABORT, 'series stay'); END;
CREATE TRIGGER series_last BEFORE DELETE ON series BEGIN SELECT RAISE(ABORT, 'series stay'); END;
COMMIT;
PRAGMA user_version = 2;
