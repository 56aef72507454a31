#![allow(missing_docs, clippy::print_stdout)]
use rules::*;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let parsed = gdl::parse_kif(&text);
        for s in [if std::env::var("STRICT").is_ok() { Strictness::Strict } else { Strictness::Lenient }] {
            let c = Rules::check(&parsed.sheet, s);
            for d in parsed.diagnostics.iter().chain(&c.diagnostics) {
                let line = text[..d.span.start as usize].matches('\n').count() + 1;
                let t: String = text[d.span.range()].chars().take(80).collect();
                println!(
                    "{} {:?} {} {}: {} | {}",
                    path.rsplit('/').next().unwrap(),
                    d.severity,
                    d.code,
                    line,
                    d.message,
                    t.replace('\n', " ")
                );
            }
        }
    }
}
