//! The expressions of stylesheets: a part of XPath 1.0.
//!
//! Paths along children, descendants (`//`), `.` and `..`, with predicates; variables, numbers, texts;
//! `or and = != < <= > >= + - * div mod |`; and the functions that stylesheets of games use.

use super::EvaluationError;
use super::xml::Document;

/// The maximum nesting depth of expressions.
const DEEPEST: usize = 60;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    Text(String),
    Number(f64),
    Variable(String),
    Negative(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    Call(Function, Vec<Expression>),
    /// Whether it starts from the root instead of the current node, and its steps.
    Path(bool, Vec<Step>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Union,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Translate,
    Substring,
    Concat,
    Position,
    String,
    Number,
    Not,
    Count,
    Last,
    Floor,
    Contains,
    StringLength,
    True,
    False,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    axis: Axis,
    /// A name, any element, any text or any node.
    test: Test,
    predicates: Vec<Expression>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Child,
    Descendant,
    Itself,
    Parent,
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    Name(String),
    Any,
    Text,
    Node,
}

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Nodes(Vec<usize>),
    Text(String),
    Number(f64),
    Truth(bool),
}

impl Value {
    pub(crate) fn text(&self, document: &Document) -> String {
        match self {
            Value::Nodes(nodes) => nodes.first().map(|&node| document.text(node)).unwrap_or_default(),
            Value::Text(text) => text.clone(),
            Value::Number(number) if number.is_nan() => "NaN".to_string(),
            // Keep the text of numbers short.
            Value::Number(number) => format!("{}", (number * 1e9).round() / 1e9),
            Value::Truth(truth) => truth.to_string(),
        }
    }

    pub(crate) fn number(&self, document: &Document) -> f64 {
        match self {
            Value::Number(number) => *number,
            Value::Truth(truth) => f64::from(u8::from(*truth)),
            other => other.text(document).trim().parse().unwrap_or(f64::NAN),
        }
    }

    pub(crate) fn truth(&self) -> bool {
        match self {
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::Text(text) => !text.is_empty(),
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Truth(truth) => *truth,
        }
    }
}

/// The context in which an expression is evaluated.
pub(crate) struct Context<'a> {
    pub(crate) document: &'a Document,
    pub(crate) node: usize,
    pub(crate) position: usize,
    pub(crate) size: usize,
    pub(crate) variable: &'a dyn Fn(&str) -> Option<Value>,
    /// The remaining steps; evaluation ends at zero.
    pub(crate) fuel: &'a std::cell::Cell<u64>,
}

impl Context<'_> {
    fn at(&self, node: usize, position: usize, size: usize) -> Context<'_> {
        Context { document: self.document, node, position, size, variable: self.variable, fuel: self.fuel }
    }

    fn burn(&self, amount: u64) -> Result<(), EvaluationError> {
        let left = self.fuel.get().checked_sub(amount).ok_or("The stylesheet takes too long.")?;
        self.fuel.set(left);
        Ok(())
    }
}

impl Expression {
    /// Parses an expression.
    pub(crate) fn read(text: &str) -> Result<Expression, EvaluationError> {
        let tokens = super::token::tokens(text)?;
        super::token::Parser::new(text, &tokens, DEEPEST).whole()
    }

    pub(crate) fn value(&self, context: &Context<'_>) -> Result<Value, EvaluationError> {
        context.burn(1)?;
        Ok(match self {
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Number(number) => Value::Number(*number),
            Expression::Variable(name) => (context.variable)(name)
                .ok_or_else(|| format!("The stylesheet has no variable `${name}`."))?,
            Expression::Negative(inner) => Value::Number(-inner.value(context)?.number(context.document)),
            Expression::Binary(operator, a, b) => binary(*operator, a, b, context)?,
            Expression::Call(function, arguments) => call(*function, arguments, context)?,
            Expression::Path(absolute, steps) => {
                let mut nodes = vec![if *absolute { Document::ROOT } else { context.node }];
                for step in steps {
                    nodes = step.follow(&nodes, context)?;
                }
                Value::Nodes(nodes)
            }
        })
    }
}

impl Step {
    pub(crate) fn child(test: &str) -> Step {
        let test = match test {
            "*" => Test::Any,
            "text()" => Test::Text,
            "node()" => Test::Node,
            name => Test::Name(name.to_string()),
        };
        Step { axis: Axis::Child, test, predicates: Vec::new() }
    }

    pub(crate) fn descendants() -> Step {
        Step { axis: Axis::Descendant, test: Test::Node, predicates: Vec::new() }
    }

    pub(crate) fn itself() -> Step {
        Step { axis: Axis::Itself, test: Test::Node, predicates: Vec::new() }
    }

    pub(crate) fn parent() -> Step {
        Step { axis: Axis::Parent, test: Test::Node, predicates: Vec::new() }
    }

    pub(crate) fn with(mut self, predicate: Expression) -> Step {
        self.predicates.push(predicate);
        self
    }

    fn follow(&self, nodes: &[usize], context: &Context<'_>) -> Result<Vec<usize>, EvaluationError> {
        let document = context.document;
        let mut all = Vec::new();
        for &node in nodes {
            let mut found: Vec<usize> = match self.axis {
                Axis::Child => document.children(node).to_vec(),
                Axis::Itself => vec![node],
                Axis::Parent => vec![document.parent(node)],
                Axis::Descendant => {
                    let (mut found, mut open) = (Vec::new(), vec![node]);
                    while let Some(next) = open.pop() {
                        found.push(next);
                        open.extend(document.children(next).iter().rev());
                    }
                    found
                }
            };
            context.burn(found.len() as u64 + 1)?;
            found.retain(|&node| match &self.test {
                Test::Name(name) => document.name(node) == Some(name.as_str()),
                Test::Any => document.name(node).is_some(),
                Test::Text => document.name(node).is_none() && node != Document::ROOT,
                Test::Node => true,
            });
            for predicate in &self.predicates {
                let size = found.len();
                let mut kept = Vec::new();
                for (at, &node) in found.iter().enumerate() {
                    let holds = match predicate.value(&context.at(node, at + 1, size))? {
                        Value::Number(number) => number == (at + 1) as f64,
                        other => other.truth(),
                    };
                    if holds {
                        kept.push(node);
                    }
                }
                found = kept;
            }
            all.extend(found);
        }
        // Nodes are numbered in document order.
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}

fn binary(
    operator: Operator,
    a: &Expression,
    b: &Expression,
    context: &Context<'_>,
) -> Result<Value, EvaluationError> {
    let document = context.document;
    let left = a.value(context)?;
    match operator {
        Operator::Or if left.truth() => return Ok(Value::Truth(true)),
        Operator::And if !left.truth() => return Ok(Value::Truth(false)),
        _ => {}
    }
    let right = b.value(context)?;
    let numbers = |f: fn(f64, f64) -> f64| Value::Number(f(left.number(document), right.number(document)));
    Ok(match operator {
        Operator::Or | Operator::And => Value::Truth(right.truth()),
        Operator::Plus => numbers(|a, b| a + b),
        Operator::Minus => numbers(|a, b| a - b),
        Operator::Times => numbers(|a, b| a * b),
        Operator::Divide => numbers(|a, b| a / b),
        Operator::Modulo => numbers(|a, b| a % b),
        Operator::Union => match (left, right) {
            (Value::Nodes(mut nodes), Value::Nodes(more)) => {
                nodes.extend(more);
                nodes.sort_unstable();
                nodes.dedup();
                Value::Nodes(nodes)
            }
            _ => return Err("An operand of `|` in the stylesheet is not a set of nodes.".into()),
        },
        comparison => Value::Truth(compare(comparison, &left, &right, context)?),
    })
}

/// Compares values. The result for nodes is true if it is true for any of them.
fn compare(
    operator: Operator,
    left: &Value,
    right: &Value,
    context: &Context<'_>,
) -> Result<bool, EvaluationError> {
    let document = context.document;
    if let Value::Nodes(nodes) = left
        && !matches!(right, Value::Truth(_))
    {
        context.burn(nodes.len() as u64)?;
        for &node in nodes {
            if compare(operator, &Value::Text(document.text(node)), right, context)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    if let Value::Nodes(nodes) = right
        && !matches!(left, Value::Truth(_))
    {
        context.burn(nodes.len() as u64)?;
        for &node in nodes {
            if compare(operator, left, &Value::Text(document.text(node)), context)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let (a, b) = (left.number(document), right.number(document));
    let equal = match (left, right) {
        (Value::Truth(_), _) | (_, Value::Truth(_)) => left.truth() == right.truth(),
        (Value::Number(_), _) | (_, Value::Number(_)) => a == b,
        _ => left.text(document) == right.text(document),
    };
    Ok(match operator {
        Operator::Equal => equal,
        Operator::Unequal => !equal,
        Operator::Less => a < b,
        Operator::LessEqual => a <= b,
        Operator::Greater => a > b,
        _ => a >= b,
    })
}

fn call(
    function: Function,
    arguments: &[Expression],
    context: &Context<'_>,
) -> Result<Value, EvaluationError> {
    let document = context.document;
    let argument = |number: usize| -> Result<Value, EvaluationError> {
        match arguments.get(number) {
            Some(argument) => argument.value(context),
            // Without an argument, a function applies to the current node.
            None if number == 0 => Ok(Value::Nodes(vec![context.node])),
            None => Err("A function in the stylesheet is missing an argument.".into()),
        }
    };
    let text = |number: usize| argument(number).map(|value| value.text(document));
    let number = |at: usize| argument(at).map(|value| value.number(document));
    Ok(match function {
        Function::Position => Value::Number(context.position as f64),
        Function::Last => Value::Number(context.size as f64),
        Function::True => Value::Truth(true),
        Function::False => Value::Truth(false),
        Function::Not => Value::Truth(!argument(0)?.truth()),
        Function::Number => Value::Number(number(0)?),
        Function::Floor => Value::Number(number(0)?.floor()),
        Function::String => Value::Text(text(0)?),
        Function::StringLength => Value::Number(text(0)?.chars().count() as f64),
        Function::Contains => Value::Truth(text(0)?.contains(&text(1)?)),
        Function::Count => match argument(0)? {
            Value::Nodes(nodes) => Value::Number(nodes.len() as f64),
            _ => return Err("The argument of `count` in the stylesheet is not a set of nodes.".into()),
        },
        Function::Concat => {
            let mut out = String::new();
            for at in 0..arguments.len() {
                out.push_str(&text(at)?);
            }
            context.burn(out.len() as u64 / 8)?;
            Value::Text(out)
        }
        Function::Translate => {
            let (from, to) = (text(1)?, text(2)?);
            let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
            let swapped = |c: char| match from.iter().position(|&found| found == c) {
                None => Some(c),
                Some(at) => to.get(at).copied(),
            };
            let subject = text(0)?;
            context.burn((subject.len() * (from.len() + 1)) as u64 / 4)?;
            Value::Text(subject.chars().filter_map(swapped).collect())
        }
        Function::Substring => {
            let subject = text(0)?;
            let start = number(1)?.round();
            let end = if arguments.len() > 2 { start + number(2)?.round() } else { f64::INFINITY };
            let within = |at: usize| (at + 1) as f64 >= start && ((at + 1) as f64) < end;
            Value::Text(subject.chars().enumerate().filter(|(at, _)| within(*at)).map(|(_, c)| c).collect())
        }
    })
}
