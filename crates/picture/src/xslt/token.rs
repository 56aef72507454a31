//! Parsing expressions.

use super::EvaluationError;
use super::xpath::{Expression, Function, Operator, Step};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Text(String),
    Number(f64),
    Variable(String),
    Name(String),
    /// One of [`SIGNS`].
    Sign(&'static str),
}

const SIGNS: [&str; 21] = [
    "//", "!=", "<=", ">=", "..", "(", ")", "[", "]", ",", "/", ".", "*", "+", "-", "=", "<", ">", "|", "@",
    ":",
];

pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, EvaluationError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length;
        if first == '\'' || first == '"' {
            let end = rest[1..].find(first).ok_or_else(|| format!("A text in `{text}` is not closed."))?;
            tokens.push(Token::Text(rest[1..=end].to_string()));
            length = end + 2;
        } else if first.is_ascii_digit()
            || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let number =
                rest[..length].parse().map_err(|_| format!("`{}` is not a number.", &rest[..length]))?;
            tokens.push(Token::Number(number));
        } else if first == '$' {
            length = 1 + name(&rest[1..]);
            tokens.push(Token::Variable(rest[1..length].to_string()));
        } else if first.is_alphabetic() || first == '_' {
            length = name(rest);
            tokens.push(Token::Name(rest[..length].to_string()));
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            length = sign.len();
            tokens.push(Token::Sign(sign));
        } else {
            return Err(format!("Unexpected `{first}` in `{text}`.").into());
        }
        if length == 0 {
            return Err(format!("`{text}` cannot be parsed.").into());
        }
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn name(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(text.len())
}

/// The binary operators, by increasing precedence.
const LEVELS: [&[(&str, Operator)]; 7] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[("=", Operator::Equal), ("!=", Operator::Unequal)],
    &[
        ("<", Operator::Less),
        ("<=", Operator::LessEqual),
        (">", Operator::Greater),
        (">=", Operator::GreaterEqual),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("div", Operator::Divide), ("mod", Operator::Modulo)],
    &[("|", Operator::Union)],
];

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    room: usize,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, tokens: &'a [Token], room: usize) -> Parser<'a> {
        Parser { text, tokens, at: 0, room }
    }

    /// Parses the whole text as one expression.
    pub(crate) fn whole(mut self) -> Result<Expression, EvaluationError> {
        let expression = self.level(0)?;
        if self.at < self.tokens.len() { Err(self.odd()) } else { Ok(expression) }
    }

    fn odd(&self) -> EvaluationError {
        format!("The expression `{}` in the stylesheet cannot be parsed.", self.text).into()
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn operator(&mut self, level: usize) -> Option<Operator> {
        let text = match self.tokens.get(self.at)? {
            Token::Sign(sign) => sign,
            Token::Name(name) => name.as_str(),
            _ => return None,
        };
        let operator = LEVELS[level].iter().find(|(name, _)| *name == text)?.1;
        self.at += 1;
        Some(operator)
    }

    fn level(&mut self, level: usize) -> Result<Expression, EvaluationError> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.level(level + 1)?;
        while let Some(operator) = self.operator(level) {
            left = Expression::Binary(operator, Box::new(left), Box::new(self.level(level + 1)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, EvaluationError> {
        self.room =
            self.room.checked_sub(1).ok_or("An expression in the stylesheet is nested too deeply.")?;
        let found =
            if self.sign("-") { Expression::Negative(Box::new(self.unary()?)) } else { self.primary()? };
        self.room += 1;
        Ok(found)
    }

    fn primary(&mut self) -> Result<Expression, EvaluationError> {
        let Some(token) = self.tokens.get(self.at) else { return Err(self.odd()) };
        match token {
            Token::Text(text) => {
                self.at += 1;
                Ok(Expression::Text(text.clone()))
            }
            Token::Number(number) => {
                self.at += 1;
                Ok(Expression::Number(*number))
            }
            Token::Variable(name) => {
                self.at += 1;
                Ok(Expression::Variable(name.clone()))
            }
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.level(0)?;
                if self.sign(")") { Ok(inner) } else { Err(self.odd()) }
            }
            Token::Name(name)
                if self.tokens.get(self.at + 1) == Some(&Token::Sign("("))
                    && !matches!(name.as_str(), "text" | "node") =>
            {
                self.call(name)
            }
            _ => self.path(),
        }
    }

    fn call(&mut self, name: &str) -> Result<Expression, EvaluationError> {
        let function = match name {
            "translate" => Function::Translate,
            "substring" => Function::Substring,
            "concat" => Function::Concat,
            "position" => Function::Position,
            "string" => Function::String,
            "number" => Function::Number,
            "not" => Function::Not,
            "count" => Function::Count,
            "last" => Function::Last,
            "floor" => Function::Floor,
            "contains" => Function::Contains,
            "string-length" => Function::StringLength,
            "true" => Function::True,
            "false" => Function::False,
            _ => return Err(format!("The function `{name}` in the stylesheet is unknown.").into()),
        };
        self.at += 2;
        let mut arguments = Vec::new();
        while !self.sign(")") {
            if !arguments.is_empty() && !self.sign(",") {
                return Err(self.odd());
            }
            arguments.push(self.level(0)?);
        }
        Ok(Expression::Call(function, arguments))
    }

    fn path(&mut self) -> Result<Expression, EvaluationError> {
        let mut steps = Vec::new();
        let mut absolute = false;
        if self.sign("//") {
            (absolute, steps) = (true, vec![Step::descendants()]);
        } else if self.sign("/") {
            absolute = true;
            if !self.begins_step() {
                return Ok(Expression::Path(true, steps));
            }
        }
        loop {
            steps.push(self.step()?);
            if self.sign("//") {
                steps.push(Step::descendants());
            } else if !self.sign("/") {
                return Ok(Expression::Path(absolute, steps));
            }
        }
    }

    fn begins_step(&self) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Name(_) | Token::Sign("." | ".." | "*")))
    }

    fn step(&mut self) -> Result<Step, EvaluationError> {
        let mut step = if self.sign("..") {
            Step::parent()
        } else if self.sign(".") {
            Step::itself()
        } else if self.sign("*") {
            Step::child("*")
        } else if let Some(Token::Name(name)) = self.tokens.get(self.at) {
            self.at += 1;
            if matches!(name.as_str(), "text" | "node") && self.sign("(") {
                if !self.sign(")") {
                    return Err(self.odd());
                }
                Step::child(&format!("{name}()"))
            } else {
                Step::child(name)
            }
        } else {
            return Err(self.odd());
        };
        while self.sign("[") {
            step = step.with(self.level(0)?);
            if !self.sign("]") {
                return Err(self.odd());
            }
        }
        Ok(step)
    }
}
