//! The parser of control programs.

use crate::GrammarError;
use crate::expr::Expr;

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Stat {
    /// A sequence with its own scope of variables.
    Block(Vec<Stat>),
    /// As long as possible.
    Alap(Box<Stat>),
    /// A sequence that is done completely or not at all.
    Atomic(Vec<Stat>),
    /// Repeats the body as long as the condition can be done.
    While(Box<Stat>, Box<Stat>),
    /// Repeats the body until the condition can be done.
    Until(Box<Stat>, Box<Stat>),
    /// If the condition can be done, continues with the first part, otherwise with the second.
    If(Box<Stat>, Box<Stat>, Box<Stat>),
    /// One of several alternatives.
    Choice(Vec<Stat>),
    /// Any number of repetitions.
    Star(Box<Stat>),
    /// A call.
    Call(Call),
    /// A declaration of variables, and the call that assigns them.
    Declare(Vec<String>, Option<Call>),
    /// Does nothing.
    Skip,
    /// A dead end.
    Halt,
}

/// A call of a rule, a procedure or a group of actions.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The qualified name; `any` and `other` denote groups.
    pub name: String,
    /// The arguments; empty if there is no argument list.
    pub args: Vec<Arg>,
    /// The line of the call.
    pub line: usize,
}

/// An argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// Any item.
    Wild,
    /// A variable that receives the value.
    Out(String),
    /// An input value.
    In(Expr),
}

/// A recipe or a function.
#[derive(Debug, Clone)]
pub struct Procedure {
    /// Its qualified name.
    pub name: String,
    /// Whether it is a recipe, which is a single transition.
    pub recipe: bool,
    /// Its priority.
    pub priority: i32,
    /// The parameters: whether each is an output, and its name.
    pub parameters: Vec<(bool, String)>,
    /// The body.
    pub body: Stat,
    /// The line of the definition.
    pub line: usize,
}

/// The control program of one file.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The name of the file.
    pub file: String,
    /// The package that the file declares.
    pub package: String,
    /// Names imported from other packages.
    pub imports: Vec<String>,
    /// Recipes and functions.
    pub procedures: Vec<Procedure>,
    /// The main part.
    pub main: Vec<Stat>,
}

const TYPES: [&str; 6] = ["node", "bool", "string", "int", "real", "user"];

struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, GrammarError>;

/// Parses a control program.
pub fn parse(file: &str, text: &str) -> Parsed<Program> {
    let mut parser = Parser { file, text, at: 0, depth: 0 };
    let mut program = Program { file: file.to_string(), ..Program::default() };
    if parser.word_is("package") {
        program.package = parser.name()?;
        parser.expect(";")?;
    }
    while parser.word_is("import") {
        program.imports.push(parser.name()?);
        parser.expect(";")?;
    }
    while !parser.at_end()? {
        let line = parser.line();
        if parser.word_is("recipe") {
            program.procedures.push(parser.procedure(true, line)?);
        } else if parser.word_is("function") {
            program.procedures.push(parser.procedure(false, line)?);
        } else {
            program.main.push(parser.stat()?);
        }
    }
    let package = program.package.clone();
    for procedure in &mut program.procedures {
        if !package.is_empty() {
            procedure.name = format!("{package}.{}", procedure.name);
        }
    }
    Ok(program)
}

impl<'a> Parser<'a> {
    fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        let begin = self.text[..self.at].rfind('\n').map_or(0, |at| at + 1);
        let column = self.text[begin..self.at].chars().count() + 1;
        Err(GrammarError::new(self.file, message).at(format!("line {}, column {column}", self.line())))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) -> Parsed<()> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                match trimmed.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => return self.error("the comment is never closed."),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn at_end(&mut self) -> Parsed<bool> {
        self.space()?;
        Ok(self.rest().is_empty())
    }

    fn take(&mut self, text: &str) -> bool {
        if self.space().is_err() || !self.rest().starts_with(text) {
            return false;
        }
        self.at += text.len();
        true
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) {
            return Ok(());
        }
        let found = self.found();
        self.error(format!("expected `{text}`, found {found}."))
    }

    fn found(&self) -> String {
        let rest = self.rest();
        match rest.chars().next() {
            None => "the end of the program".to_string(),
            Some(c) if c.is_alphanumeric() => {
                format!("`{}`", rest.chars().take_while(|c| c.is_alphanumeric()).collect::<String>())
            }
            Some(c) => format!("`{c}`"),
        }
    }

    /// Returns the next word without consuming it.
    fn peek_word(&mut self) -> &'a str {
        if self.space().is_err() {
            return "";
        }
        let rest = self.rest();
        let mut length = 0;
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next_is_letter = chars.peek().is_some_and(|(_, n)| n.is_alphabetic() || *n == '_');
            let fits = if length == 0 {
                c.is_alphabetic() || c == '_'
            } else {
                c.is_alphanumeric() || c == '_' || c == '$' || (c == '-' && next_is_letter)
            };
            if !fits {
                break;
            }
            length = at + c.len_utf8();
        }
        &rest[..length]
    }

    fn word_is(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    fn id(&mut self) -> Parsed<String> {
        if self.take("`") {
            let rest = self.rest();
            let Some(end) = rest.find('`') else { return self.error("the back quote is never closed.") };
            self.at += end + 1;
            return Ok(rest[..end].to_string());
        }
        let word = self.peek_word();
        if word.is_empty() {
            let found = self.found();
            return self.error(format!("expected a name, found {found}."));
        }
        self.at += word.len();
        Ok(word.to_string())
    }

    /// Parses a qualified name such as `win.any`, `*.any` or `q.*.any`.
    fn name(&mut self) -> Parsed<String> {
        let mut name = String::new();
        loop {
            self.space()?;
            if self.rest().starts_with('*') {
                self.at += 1;
                name.push('*');
            } else {
                name.push_str(&self.id()?);
            }
            if !self.rest().starts_with('.') {
                return Ok(name);
            }
            self.at += 1;
            name.push('.');
        }
    }

    fn procedure(&mut self, recipe: bool, line: usize) -> Parsed<Procedure> {
        let name = self.id()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.take(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            let out = self.word_is("out");
            let kind = self.id()?;
            if !TYPES.contains(&kind.as_str()) {
                return self
                    .error(format!("`{kind}` is not a type; types are node, bool, string, int and real."));
            }
            parameters.push((out, self.id()?));
        }
        let mut priority = 0;
        if self.word_is("priority") {
            self.space()?;
            let digits: String = self.rest().chars().take_while(char::is_ascii_digit).collect();
            self.at += digits.len();
            match digits.parse() {
                Ok(number) => priority = number,
                Err(_) => return self.error("expected a number."),
            }
        }
        self.expect("{")?;
        Ok(Procedure { name, recipe, priority, parameters, body: self.block("}")?, line })
    }

    fn block(&mut self, end: &str) -> Parsed<Stat> {
        let mut stats = Vec::new();
        while !self.take(end) {
            if self.at_end()? {
                return self.error(format!("`{end}` is missing at the end of the program."));
            }
            stats.push(self.stat()?);
        }
        Ok(Stat::Block(stats))
    }

    fn condition(&mut self) -> Parsed<Stat> {
        self.expect("(")?;
        let mut parts = Vec::new();
        loop {
            parts.push(if self.word_is("true") { Stat::Skip } else { Stat::Call(self.call()?) });
            if !self.take("|") {
                break;
            }
        }
        self.expect(")")?;
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Stat::Choice(parts) })
    }

    fn stat(&mut self) -> Parsed<Stat> {
        self.depth += 1;
        if self.depth > 100 {
            return self.error("statements are nested too deeply.");
        }
        let stat = self.stat_inner()?;
        self.depth -= 1;
        Ok(stat)
    }

    fn stat_inner(&mut self) -> Parsed<Stat> {
        if self.take("{") {
            return self.block("}");
        }
        if self.take("<") {
            let Stat::Block(stats) = self.block(">")? else { return Ok(Stat::Skip) };
            return Ok(Stat::Atomic(stats));
        }
        if self.take(";") {
            return Ok(Stat::Skip);
        }
        let word = self.peek_word();
        if TYPES.contains(&word) && !self.rest()[word.len()..].starts_with(':') {
            self.at += word.len();
            return self.declaration();
        }
        match word {
            "alap" => {
                self.at += word.len();
                Ok(Stat::Alap(Box::new(self.stat()?)))
            }
            "while" | "until" => {
                self.at += word.len();
                let condition = Box::new(self.condition()?);
                let body = Box::new(self.stat()?);
                Ok(if word == "while" { Stat::While(condition, body) } else { Stat::Until(condition, body) })
            }
            "do" => {
                self.at += word.len();
                let body = self.stat()?;
                let positive = self.word_is("while");
                if !positive && !self.word_is("until") {
                    let found = self.found();
                    return self.error(format!(
                        "expected `while` or `until` after the body of `do`, found {found}."
                    ));
                }
                let condition = Box::new(self.condition()?);
                let again = Box::new(body.clone());
                let more =
                    if positive { Stat::While(condition, again) } else { Stat::Until(condition, again) };
                Ok(Stat::Block(vec![body, more]))
            }
            "if" | "try" => {
                self.at += word.len();
                let (condition, then) = if word == "if" {
                    let condition = self.condition()?;
                    (condition, self.stat()?)
                } else {
                    (self.stat()?, Stat::Skip)
                };
                let other = if self.word_is("else") { self.stat()? } else { Stat::Skip };
                Ok(Stat::If(Box::new(condition), Box::new(then), Box::new(other)))
            }
            "choice" => {
                self.at += word.len();
                let mut parts = vec![self.stat()?];
                while self.word_is("or") {
                    parts.push(self.stat()?);
                }
                Ok(Stat::Choice(parts))
            }
            "halt" => {
                self.at += word.len();
                Ok(Stat::Halt)
            }
            _ => {
                let stat = self.expression()?;
                self.expect(";")?;
                Ok(stat)
            }
        }
    }

    fn declaration(&mut self) -> Parsed<Stat> {
        let mut names = vec![self.id()?];
        while self.take(",") {
            names.push(self.id()?);
        }
        let mut call = None;
        if self.take(":=")
            && let Stat::Call(assigned) = self.assigned(names.clone())?
        {
            call = Some(assigned);
        }
        self.expect(";")?;
        Ok(Stat::Declare(names, call))
    }

    fn assigned(&mut self, names: Vec<String>) -> Parsed<Stat> {
        let mut call = self.call()?;
        call.args.extend(names.into_iter().map(Arg::Out));
        Ok(Stat::Call(call))
    }

    fn expression(&mut self) -> Parsed<Stat> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.repeated()?);
            if !self.take("|") {
                break;
            }
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Stat::Choice(parts) })
    }

    fn repeated(&mut self) -> Parsed<Stat> {
        if self.take("#") {
            return Ok(Stat::Alap(Box::new(self.atom()?)));
        }
        let atom = self.atom()?;
        if self.take("*") {
            return Ok(Stat::Star(Box::new(atom)));
        }
        if self.take("+") {
            return Ok(Stat::Block(vec![atom.clone(), Stat::Star(Box::new(atom))]));
        }
        Ok(atom)
    }

    fn atom(&mut self) -> Parsed<Stat> {
        self.depth += 1;
        if self.depth > 100 {
            return self.error("expressions are nested too deeply.");
        }
        let stat = if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            inner
        } else {
            let start = self.at;
            let mut names = Vec::new();
            if !self.rest().trim_start().starts_with('*') {
                while let Ok(name) = self.id() {
                    names.push(name);
                    if !self.take(",") {
                        break;
                    }
                }
            }
            if !names.is_empty() && self.take(":=") {
                self.assigned(names)?
            } else {
                self.at = start;
                Stat::Call(self.call()?)
            }
        };
        self.depth -= 1;
        Ok(stat)
    }

    fn call(&mut self) -> Parsed<Call> {
        self.space()?;
        let line = self.line();
        let name = self.name()?;
        let mut args = Vec::new();
        if self.take("(") {
            while !self.take(")") {
                if !args.is_empty() {
                    self.expect(",")?;
                }
                args.push(self.argument()?);
            }
        }
        Ok(Call { name, args, line })
    }

    fn argument(&mut self) -> Parsed<Arg> {
        if self.word_is("out") {
            return Ok(Arg::Out(self.id()?));
        }
        if self.word_is("_") {
            return Ok(Arg::Wild);
        }
        let (mut depth, mut quoted, mut escaped) = (0, false, false);
        let mut end = None;
        for (at, c) in self.rest().char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' => depth += 1,
                ')' | ',' if depth == 0 => {
                    end = Some(at);
                    break;
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        let Some(end) = end else { return self.error("missing `)`.") };
        let text = &self.rest()[..end];
        match Expr::parse(text) {
            Ok(expr) => {
                self.at += end;
                Ok(Arg::In(expr))
            }
            Err(error) => self.error(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read() {
        let text =
            "recipe r(out node f) priority 2 { m(out f); try p; else { q; } } // c\n#*.any;\nx := g(_, 1+2);";
        let program = parse("control.gcp", text).unwrap();
        assert_eq!(program.procedures[0].priority, 2);
        assert_eq!(program.main.len(), 2);
        assert!(matches!(&program.main[1], Stat::Call(call) if call.args.len() == 3));
    }

    #[test]
    fn mistakes_have_a_place() {
        let error = parse("control.gcp", "until(a) do { b; }\n").unwrap_err().to_string();
        assert!(error.starts_with("control.gcp, line 2, column 1: expected `while` or `until`"), "{error}");
        for text in ["a", "a(", "{ a;", "recipe r { }", "/* x", "try", "a b;", "while a b;", "a(\"x);"] {
            assert!(parse("c", text).is_err(), "{text}");
        }
        assert!(parse("c", &"{".repeat(100_000)).is_err());
        assert!(parse("c", &"(".repeat(100_000)).is_err());
    }
}
