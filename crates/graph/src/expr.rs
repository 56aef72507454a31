//! Expressions over data values: `let:`, `test:`, values in rules, and arguments in control programs.
//!
//! Operators are dispatched on the values they are applied to. Integers have 32 bits and wrap
//! around, division truncates, and an undefined result is the error value.

use std::iter::Peekable;
use std::str::Chars;

use crate::error::ExprError;
use crate::value::{Sort, Value};

/// An expression as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A literal.
    Const(Value),
    /// A name: an attribute of the node itself, or a variable.
    Name(String),
    /// An attribute of the node with this name.
    Field(String, String),
    /// A slot of a binding, once names have been resolved.
    Slot(usize),
    /// An operator applied to arguments.
    Apply(Op, Vec<Expr>),
}

/// Operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Neg,
    Abs,
    Min,
    Max,
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Not,
    Ite,
    Concat,
    Length,
    Substring,
    Suffix,
    Lookup,
    ToInt,
    ToReal,
    ToString,
    ToBool,
    IsInt,
    IsReal,
    IsBool,
}

impl Op {
    /// Returns the operator with this name, and the number of its arguments.
    pub fn named(name: &str) -> Option<(Op, usize)> {
        Some(match name {
            "add" => (Op::Add, 2),
            "sub" => (Op::Sub, 2),
            "mul" => (Op::Mul, 2),
            "div" => (Op::Div, 2),
            "mod" => (Op::Mod, 2),
            "neg" => (Op::Neg, 1),
            "abs" => (Op::Abs, 1),
            "min" => (Op::Min, 2),
            "max" => (Op::Max, 2),
            "eq" => (Op::Eq, 2),
            "neq" => (Op::Neq, 2),
            "lt" => (Op::Lt, 2),
            "le" => (Op::Le, 2),
            "gt" => (Op::Gt, 2),
            "ge" => (Op::Ge, 2),
            "and" => (Op::And, 2),
            "or" => (Op::Or, 2),
            "not" => (Op::Not, 1),
            "ite" => (Op::Ite, 3),
            "concat" => (Op::Concat, 2),
            "length" => (Op::Length, 1),
            "substring" => (Op::Substring, 3),
            "suffix" => (Op::Suffix, 2),
            "lookup" => (Op::Lookup, 2),
            "toInt" => (Op::ToInt, 1),
            "toReal" => (Op::ToReal, 1),
            "toString" => (Op::ToString, 1),
            "toBool" => (Op::ToBool, 1),
            "isInt" => (Op::IsInt, 1),
            "isReal" => (Op::IsReal, 1),
            "isBool" => (Op::IsBool, 1),
            _ => return None,
        })
    }

    /// Applies the operator.
    pub fn apply(self, args: &[Value]) -> Value {
        use Value::{Bool, Int, Real, Text};
        match (self, args) {
            (Op::Ite, [Bool(c), yes, no]) => {
                if *c {
                    yes.clone()
                } else {
                    no.clone()
                }
            }
            (Op::Eq, [a, b]) => Bool(equal(a, b)),
            (Op::Neq, [a, b]) => Bool(!equal(a, b)),
            (_, [Int(a), Int(b)]) => match self {
                Op::Add => Int(a.wrapping_add(*b)),
                Op::Sub => Int(a.wrapping_sub(*b)),
                Op::Mul => Int(a.wrapping_mul(*b)),
                Op::Div if *b != 0 => Int(a.wrapping_div(*b)),
                Op::Mod if *b != 0 => Int(a.wrapping_rem(*b)),
                Op::Min => Int(*a.min(b)),
                Op::Max => Int(*a.max(b)),
                Op::Lt => Bool(a < b),
                Op::Le => Bool(a <= b),
                Op::Gt => Bool(a > b),
                Op::Ge => Bool(a >= b),
                _ => Value::Error,
            },
            (_, [Real(a), Real(b)]) => {
                let near = near(*a, *b);
                match self {
                    Op::Add => real(a + b),
                    Op::Sub => real(a - b),
                    Op::Mul => real(a * b),
                    Op::Div => real(a / b),
                    Op::Min => real(a.min(*b)),
                    Op::Max => real(a.max(*b)),
                    Op::Lt => Bool(a < b && !near),
                    Op::Le => Bool(a <= b || near),
                    Op::Gt => Bool(a > b && !near),
                    Op::Ge => Bool(a >= b || near),
                    _ => Value::Error,
                }
            }
            (Op::And, [Bool(a), Bool(b)]) => Bool(*a && *b),
            (Op::Or, [Bool(a), Bool(b)]) => Bool(*a || *b),
            (Op::Not, [Bool(a)]) => Bool(!a),
            (Op::Neg, [Int(a)]) => Int(a.wrapping_neg()),
            (Op::Abs, [Int(a)]) => Int(a.wrapping_abs()),
            (Op::Neg, [Real(a)]) => real(-a),
            (Op::Abs, [Real(a)]) => real(a.abs()),
            (Op::Concat | Op::Add, [Text(a), Text(b)]) if a.len() + b.len() <= 1 << 16 => {
                Text(format!("{a}{b}").into())
            }
            (Op::Lt, [Text(a), Text(b)]) => Bool(a < b),
            (Op::Le, [Text(a), Text(b)]) => Bool(a <= b),
            (Op::Gt, [Text(a), Text(b)]) => Bool(a > b),
            (Op::Ge, [Text(a), Text(b)]) => Bool(a >= b),
            (Op::Length, [Text(a)]) => Int(a.chars().count() as i32),
            (Op::Substring, [Text(a), Int(from), Int(to)]) => part(a, *from, *to),
            (Op::Suffix, [Text(a), Int(from)]) => part(a, *from, a.chars().count() as i32),
            (Op::Lookup, [Text(a), Text(b)]) => {
                Int(a.find(&**b).map_or(-1, |at| a[..at].chars().count() as i32))
            }
            (Op::ToInt, [Int(a)]) => Int(*a),
            (Op::ToInt, [Real(a)]) => Int(*a as i32),
            (Op::ToInt, [Text(a)]) => a.parse().map_or(Value::Error, Int),
            (Op::ToReal, [Int(a)]) => Real(f64::from(*a)),
            (Op::ToReal, [Real(a)]) => Real(*a),
            (Op::ToReal, [Text(a)]) => a.parse().map_or(Value::Error, real),
            (Op::ToBool, [Text(a)]) => a.parse().map_or(Value::Error, Bool),
            (Op::ToBool, [Bool(a)]) => Bool(*a),
            (Op::ToString, [Text(a)]) => Text(a.clone()),
            (Op::ToString, [a]) if *a != Value::Error => Text(a.to_string().into()),
            (Op::IsInt, [Text(a)]) => Bool(a.parse::<i32>().is_ok()),
            (Op::IsReal, [Text(a)]) => Bool(a.parse::<f64>().is_ok()),
            (Op::IsBool, [Text(a)]) => Bool(a.parse::<bool>().is_ok()),
            _ => Value::Error,
        }
    }
}

fn real(x: f64) -> Value {
    if x.is_nan() { Value::Error } else { Value::Real(x) }
}

fn near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-15 * a.abs().max(b.abs())
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) => near(*a, *b),
        _ => a == b,
    }
}

fn part(text: &str, from: i32, to: i32) -> Value {
    if from < 0 || to < from || to as usize > text.chars().count() {
        return Value::Error;
    }
    let chars = text.chars().skip(from as usize).take((to - from) as usize);
    Value::Text(chars.collect::<String>().into())
}

impl Expr {
    /// Parses an expression. Trailing text is an error.
    pub fn parse(text: &str) -> Result<Expr, ExprError> {
        let mut parser = Parser { chars: text.chars().peekable(), depth: 0 };
        let expr = parser.binary(0)?;
        parser.space();
        match parser.chars.next() {
            None => Ok(expr),
            Some(c) => Err(format!("unexpected `{c}` in the expression.").into()),
        }
    }

    /// Evaluates the expression, using `slot` for the values of slots. Unresolved names yield
    /// the error value.
    pub fn eval(&self, slot: &impl Fn(usize) -> Value) -> Value {
        match self {
            Expr::Const(value) => value.clone(),
            Expr::Slot(at) => slot(*at),
            Expr::Name(_) | Expr::Field(..) => Value::Error,
            Expr::Apply(op, args) => {
                let mut values = [Value::Error, Value::Error, Value::Error];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = arg.eval(slot);
                }
                op.apply(&values[..args.len().min(3)])
            }
        }
    }

    /// Calls `visit` with every slot it reads.
    pub fn slots(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Expr::Slot(at) => visit(*at),
            Expr::Apply(_, args) => args.iter().for_each(|arg| arg.slots(visit)),
            _ => {}
        }
    }

    /// Returns the expression with its names replaced.
    pub fn resolve(
        &self,
        find: &mut impl FnMut(&Expr) -> Result<Expr, ExprError>,
    ) -> Result<Expr, ExprError> {
        Ok(match self {
            Expr::Name(_) | Expr::Field(..) => find(self)?,
            Expr::Apply(op, args) => {
                Expr::Apply(*op, args.iter().map(|arg| arg.resolve(find)).collect::<Result<_, _>>()?)
            }
            other => other.clone(),
        })
    }
}

struct Parser<'a> {
    chars: Peekable<Chars<'a>>,
    depth: usize,
}

/// Infix operators, from the lowest precedence to the highest.
const LEVELS: [&[(&str, Op)]; 6] = [
    &[("|", Op::Or)],
    &[("&", Op::And)],
    &[("==", Op::Eq), ("!=", Op::Neq)],
    &[("<=", Op::Le), (">=", Op::Ge), ("<", Op::Lt), (">", Op::Gt)],
    &[("+", Op::Add), ("-", Op::Sub)],
    &[("*", Op::Mul), ("/", Op::Div), ("%", Op::Mod)],
];

impl Parser<'_> {
    fn space(&mut self) {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn take(&mut self, text: &str) -> bool {
        let mut ahead = self.chars.clone();
        if text.chars().all(|c| ahead.next() == Some(c)) {
            self.chars = ahead;
            return true;
        }
        false
    }

    fn binary(&mut self, level: usize) -> Result<Expr, ExprError> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        'more: loop {
            self.space();
            for (text, op) in LEVELS[level] {
                if self.take(text) {
                    let right = self.binary(level + 1)?;
                    left = Expr::Apply(*op, vec![left, right]);
                    continue 'more;
                }
            }
            return Ok(left);
        }
    }

    fn unary(&mut self) -> Result<Expr, ExprError> {
        self.depth += 1;
        if self.depth > 64 {
            return Err("the expression is nested too deeply.".into());
        }
        self.space();
        let result = match self.chars.peek() {
            Some('!') => {
                self.chars.next();
                Expr::Apply(Op::Not, vec![self.unary()?])
            }
            Some('-') => {
                self.chars.next();
                match self.unary()? {
                    Expr::Const(Value::Int(n)) => Expr::Const(Value::Int(n.wrapping_neg())),
                    Expr::Const(Value::Real(x)) => Expr::Const(Value::Real(-x)),
                    other => Expr::Apply(Op::Neg, vec![other]),
                }
            }
            Some('(') => self.parenthesis()?,
            Some('"') => Expr::Const(Value::Text(self.string()?.into())),
            Some(c) if c.is_ascii_digit() || *c == '.' => self.number()?,
            Some(c) if c.is_alphabetic() || *c == '_' || *c == '$' => self.name()?,
            Some(c) => return Err(format!("unexpected `{c}` in the expression.").into()),
            None => return Err("unexpected end of the expression.".into()),
        };
        self.depth -= 1;
        Ok(result)
    }

    /// Parses a cast such as `(int)`, or an expression in parentheses.
    fn parenthesis(&mut self) -> Result<Expr, ExprError> {
        for (cast, op) in
            [("(int)", Op::ToInt), ("(real)", Op::ToReal), ("(string)", Op::ToString), ("(bool)", Op::ToBool)]
        {
            if self.take(cast) {
                return Ok(Expr::Apply(op, vec![self.unary()?]));
            }
        }
        self.chars.next();
        let inner = self.binary(0)?;
        self.space();
        if self.take(")") { Ok(inner) } else { Err("missing `)` in the expression.".into()) }
    }

    fn string(&mut self) -> Result<String, ExprError> {
        self.chars.next();
        let mut text = String::new();
        loop {
            match self.chars.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.extend(self.chars.next()),
                Some(c) => text.push(c),
                None => return Err("missing `\"` in the expression.".into()),
            }
        }
    }

    fn number(&mut self) -> Result<Expr, ExprError> {
        let mut text = String::new();
        while let Some(c) = self.chars.next_if(|c| c.is_ascii_digit() || *c == '.') {
            text.push(c);
        }
        let value = if text.contains('.') {
            text.parse().ok().map(Value::Real)
        } else {
            text.parse::<i64>().ok().filter(|n| *n <= 1 << 31).map(|n| Value::Int(n as i32))
        };
        value.map(Expr::Const).ok_or_else(|| format!("`{text}` is not a number, or is out of range.").into())
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(&c) = self.chars.peek() {
            let dash = c == '-' && {
                let mut ahead = self.chars.clone();
                ahead.next();
                ahead.peek().is_some_and(|next| next.is_alphabetic() || *next == '_')
            };
            if !(c.is_alphanumeric() || c == '_' || c == '$' || dash) {
                break;
            }
            word.push(c);
            self.chars.next();
        }
        word
    }

    fn name(&mut self) -> Result<Expr, ExprError> {
        let word = self.word();
        match word.as_str() {
            "true" => return Ok(Expr::Const(Value::Bool(true))),
            "false" => return Ok(Expr::Const(Value::Bool(false))),
            _ => {}
        }
        let mut operator = word.clone();
        if Sort::named(&word).is_some() && self.take(":") {
            self.space();
            match self.chars.peek() {
                Some(c) if c.is_alphabetic() => operator = self.word(),
                _ => return self.unary(),
            }
            if matches!(operator.as_str(), "true" | "false") {
                return Ok(Expr::Const(Value::Bool(operator == "true")));
            }
        }
        if self.take(".") {
            let field = self.word();
            return if field.is_empty() {
                Err(format!("missing attribute name after `{word}.`.").into())
            } else {
                Ok(Expr::Field(word, field))
            };
        }
        self.space();
        if !self.take("(") {
            return Ok(Expr::Name(operator));
        }
        let mut args = Vec::new();
        self.space();
        if !self.take(")") {
            loop {
                args.push(self.binary(0)?);
                self.space();
                if self.take(")") {
                    break;
                }
                if !self.take(",") {
                    return Err(format!("missing `)` after `{operator}(`.").into());
                }
            }
        }
        match Op::named(&operator) {
            Some((op, count)) if count == args.len() => Ok(Expr::Apply(op, args)),
            Some((_, count)) => {
                Err(format!("`{operator}` takes {count} arguments, not {}.", args.len()).into())
            }
            None => Err(format!("the operator `{operator}` is not supported.").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_32_bits() {
        for (text, value) in [
            ("1+2*3", "7"),
            ("2147483647+1", "-2147483648"),
            ("-7%3", "-1"),
            ("1/0", "error"),
            ("(1+2)*3", "9"),
            ("real:toInt(9.81)", "9"),
            ("\"a\"+\"b\"", "\"ab\""),
            ("1 < 2 & !(3 >= 4)", "true"),
            ("max(3, min(5,4))", "4"),
            ("(string)12", "\"12\""),
            ("1.5 + 1.5", "3.0"),
            ("int:5 - 2", "3"),
        ] {
            let found = Expr::parse(text).map(|e| e.eval(&|_| Value::Error).to_string());
            assert_eq!(found, Ok(value.to_string()), "{text}");
        }
        for text in ["1+", "(1", "frob(1)", "max(1)", "a b", &"(".repeat(1000)] {
            assert!(Expr::parse(text).is_err(), "{text}");
        }
    }
}
