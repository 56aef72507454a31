//! Compilation of parsed control programs to terms.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, RwLock};

use super::derive::Derived;
use super::parse::{Arg, Call, Procedure, Program, Stat};
use super::terms::{CallId, DELTA, EPS, Term, TermId, Terms};
use crate::GrammarError;
use crate::expr::Expr;
use crate::label::Direction;
use crate::rule::Rule;

/// The target of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A rule.
    Rule(usize),
    /// A procedure.
    Procedure(usize),
}

/// An argument with its variables resolved.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given {
    /// Any item.
    Wild,
    /// An output that is stored in a variable.
    Out(usize),
    /// An input computed from variables.
    In(Expr),
}

/// A call site in the program.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) target: Target,
    pub(super) args: Vec<Given>,
}

/// A procedure, ready to be called. Its parameters are its first variables.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    pub(super) name: String,
    pub(super) recipe: bool,
    pub(super) parameters: Vec<bool>,
    pub(super) variables: usize,
    pub(super) body: TermId,
}

/// A control program compiled to terms, whose derivatives are computed on demand.
#[derive(Debug)]
pub struct Control {
    pub(super) sites: Vec<Site>,
    pub(super) procedures: Vec<Compiled>,
    /// The initial term.
    pub main: TermId,
    /// The number of variables of the main part.
    pub main_variables: usize,
    pub(super) inner: RwLock<Inner>,
}

/// The part that grows as terms are derived.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) terms: Terms,
    pub(super) derived: Vec<Option<Arc<Derived>>>,
}

/// The actions of a grammar.
pub struct Actions<'a> {
    /// The rules.
    pub rules: &'a [Rule],
    /// The names of rules that exist but are disabled.
    pub disabled: &'a BTreeSet<String>,
}

struct Compiler<'a> {
    actions: &'a Actions<'a>,
    rules: BTreeMap<&'a str, usize>,
    names: BTreeMap<String, usize>,
    sources: Vec<(&'a Procedure, &'a Program)>,
    terms: Terms,
    sites: Vec<Site>,
    procedures: Vec<Compiled>,
    /// Actions that are called by name from a recipe, directly or indirectly.
    hidden: BTreeSet<String>,
    /// All actions that are called by name.
    named: BTreeSet<String>,
    scope: Vec<(String, usize)>,
    variables: usize,
    file: String,
    package: String,
    current: Option<&'a Program>,
}

/// Compiles all control programs of a grammar together.
pub fn compile<'a>(programs: &'a [Program], actions: &'a Actions<'a>) -> Result<Control, GrammarError> {
    let mut compiler = Compiler {
        rules: actions.rules.iter().enumerate().map(|(at, rule)| (rule.name.as_str(), at)).collect(),
        actions,
        names: BTreeMap::new(),
        sources: Vec::new(),
        terms: Terms::new(),
        sites: Vec::new(),
        procedures: Vec::new(),
        hidden: BTreeSet::new(),
        named: BTreeSet::new(),
        scope: Vec::new(),
        variables: 0,
        file: String::new(),
        package: String::new(),
        current: None,
    };
    for program in programs {
        for procedure in &program.procedures {
            let taken = compiler.rules.contains_key(procedure.name.as_str());
            if taken || compiler.names.insert(procedure.name.clone(), compiler.sources.len()).is_some() {
                let text = format!("`{}` is defined twice.", procedure.name);
                return Err(GrammarError::new(&program.file, text).at(format!("line {}", procedure.line)));
            }
            compiler.sources.push((procedure, program));
            compiler.procedures.push(Compiled {
                name: procedure.name.clone(),
                recipe: procedure.recipe,
                parameters: procedure.parameters.iter().map(|(out, _)| *out).collect(),
                variables: 0,
                body: DELTA,
            });
        }
    }
    compiler.calls_by_name(programs);
    for at in 0..compiler.sources.len() {
        let (procedure, program) = compiler.sources[at];
        compiler.enter(program);
        for (_, name) in &procedure.parameters {
            compiler.declare(name);
        }
        let body = compiler.stat(&procedure.body)?;
        if procedure.recipe && body == EPS {
            let text = format!("the recipe `{}` does nothing.", procedure.name);
            return Err(GrammarError::new(&program.file, text).at(format!("line {}", procedure.line)));
        }
        compiler.procedures[at].body = body;
        compiler.procedures[at].variables = compiler.variables;
    }
    let mut mains = programs.iter().filter(|program| !program.main.is_empty());
    let main = mains.next();
    if let Some(second) = mains.next() {
        return Err(GrammarError::new(&second.file, "more than one control program has a main part."));
    }
    let main = match main {
        Some(program) => {
            compiler.enter(program);
            compiler.stat(&Stat::Block(program.main.clone()))?
        }
        None => {
            compiler.file = "control program".to_string();
            compiler.package.clear();
            compiler.scope.clear();
            compiler.variables = 0;
            let any = Stat::Call(Call { name: "*.any".to_string(), args: Vec::new(), line: 0 });
            compiler.stat(&Stat::Alap(Box::new(any)))?
        }
    };
    let control = Control {
        main_variables: compiler.variables,
        sites: compiler.sites,
        procedures: compiler.procedures,
        main,
        inner: RwLock::new(Inner { terms: compiler.terms, derived: Vec::new() }),
    };
    control.derive_all()?;
    Ok(control)
}

impl<'a> Compiler<'a> {
    fn enter(&mut self, program: &'a Program) {
        self.current = Some(program);
        self.file = program.file.clone();
        self.package = program.package.clone();
        self.scope.clear();
        self.variables = 0;
    }

    fn declare(&mut self, name: &str) {
        self.scope.push((name.to_string(), self.variables));
        self.variables += 1;
    }

    fn error<T>(&self, line: usize, message: impl Into<String>) -> Result<T, GrammarError> {
        let error = GrammarError::new(&self.file, message);
        Err(if line == 0 { error } else { error.at(format!("line {line}")) })
    }

    /// Collects the actions called by name, and those called by name from a recipe, directly or indirectly.
    fn calls_by_name(&mut self, programs: &[Program]) {
        fn calls<'s>(stat: &'s Stat, found: &mut Vec<&'s Call>) {
            match stat {
                Stat::Block(list) | Stat::Atomic(list) | Stat::Choice(list) => {
                    list.iter().for_each(|s| calls(s, found))
                }
                Stat::Alap(a) | Stat::Star(a) => calls(a, found),
                Stat::While(a, b) | Stat::Until(a, b) => [a, b].into_iter().for_each(|s| calls(s, found)),
                Stat::If(a, b, c) => [a, b, c].into_iter().for_each(|s| calls(s, found)),
                Stat::Call(call) => found.push(call),
                Stat::Declare(_, call) => found.extend(call),
                Stat::Skip | Stat::Halt => {}
            }
        }
        let mut called: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for program in programs {
            let mut found = Vec::new();
            program.main.iter().for_each(|stat| calls(stat, &mut found));
            let names: Vec<String> = found.iter().map(|call| self.full_name(&call.name, program)).collect();
            self.named.extend(names);
            for procedure in &program.procedures {
                let mut found = Vec::new();
                calls(&procedure.body, &mut found);
                let names: Vec<String> =
                    found.iter().map(|call| self.full_name(&call.name, program)).collect();
                self.named.extend(names.iter().cloned());
                called.insert(procedure.name.clone(), names);
            }
        }
        let recipes = programs.iter().flat_map(|p| &p.procedures).filter(|procedure| procedure.recipe);
        let mut work: Vec<String> = recipes.flat_map(|procedure| called[&procedure.name].clone()).collect();
        while let Some(name) = work.pop() {
            if self.hidden.insert(name.clone()) {
                work.extend(called.get(&name).cloned().unwrap_or_default());
            }
        }
    }

    /// Resolves a name in the scope of a program: a local name of its package, an imported
    /// name, or the name as it is.
    fn full_name(&self, name: &str, program: &Program) -> String {
        let known = |name: &str| {
            self.rules.contains_key(name)
                || self.names.contains_key(name)
                || self.actions.disabled.contains(name)
        };
        if !program.package.is_empty() {
            let local = format!("{}.{name}", program.package);
            if known(&local) {
                return local;
            }
        }
        let imported =
            program.imports.iter().find(|import| import.rsplit('.').next() == Some(name) && known(import));
        imported.cloned().unwrap_or_else(|| name.to_string())
    }

    fn stat(&mut self, stat: &Stat) -> Result<TermId, GrammarError> {
        Ok(match stat {
            Stat::Skip => EPS,
            Stat::Halt => DELTA,
            Stat::Block(list) => self.block(list)?,
            Stat::Atomic(list) => {
                let inner = self.block(list)?;
                self.terms.atomic(inner, false)
            }
            Stat::Choice(list) => {
                let mut parts = Vec::new();
                for part in list {
                    parts.push(self.stat(part)?);
                }
                let mut term = DELTA;
                for part in parts.into_iter().rev() {
                    term = self.terms.or(part, term);
                }
                term
            }
            Stat::Alap(inner) => {
                let inner = self.stat(inner)?;
                self.terms.add(Term::While(inner, EPS))
            }
            Stat::While(condition, body) => {
                let (condition, body) = (self.stat(condition)?, self.stat(body)?);
                self.terms.add(Term::While(condition, body))
            }
            Stat::Until(condition, body) => {
                let (condition, body) = (self.stat(condition)?, self.stat(body)?);
                self.terms.add(Term::Until(condition, body))
            }
            Stat::If(condition, then, other) => {
                let (condition, then) = (self.stat(condition)?, self.stat(then)?);
                let other = self.stat(other)?;
                self.terms.choose(condition, then, other)
            }
            Stat::Star(inner) => {
                let inner = self.stat(inner)?;
                self.terms.add(Term::Star(inner))
            }
            Stat::Declare(names, call) => {
                names.iter().for_each(|name| self.declare(name));
                match call {
                    Some(call) => self.call(call)?,
                    None => EPS,
                }
            }
            Stat::Call(call) => self.call(call)?,
        })
    }

    fn block(&mut self, list: &[Stat]) -> Result<TermId, GrammarError> {
        let depth = self.scope.len();
        let mut parts = Vec::new();
        for stat in list {
            parts.push(self.stat(stat)?);
        }
        self.scope.truncate(depth);
        let mut term = EPS;
        for part in parts.into_iter().rev() {
            term = self.terms.seq(part, term);
        }
        Ok(term)
    }

    fn call(&mut self, call: &Call) -> Result<TermId, GrammarError> {
        let last = call.name.rsplit('.').next().unwrap_or_default();
        if matches!(last, "any" | "other") {
            if !call.args.is_empty() {
                return self.error(call.line, "a call to a group takes no arguments.");
            }
            return self.group(call, last == "other");
        }
        let name = match self.current {
            Some(program) => self.full_name(&call.name, program),
            None => call.name.clone(),
        };
        if self.actions.disabled.contains(&name) {
            return Ok(DELTA);
        }
        let target = match (self.rules.get(name.as_str()), self.names.get(&name)) {
            (Some(&rule), _) => Target::Rule(rule),
            (None, Some(&procedure)) => Target::Procedure(procedure),
            (None, None) => {
                return self.error(call.line, format!("there is no rule, recipe or function `{name}`."));
            }
        };
        let outputs: Vec<Option<bool>> = match target {
            Target::Rule(rule) => self.actions.rules[rule]
                .parameters
                .iter()
                .map(|p| match p.direction {
                    Direction::Both => None,
                    Direction::In => Some(false),
                    Direction::Out => Some(true),
                })
                .collect(),
            Target::Procedure(procedure) => {
                self.procedures[procedure].parameters.iter().map(|out| Some(*out)).collect()
            }
        };
        if call.args.len() > outputs.len() || (!call.args.is_empty() && call.args.len() < outputs.len()) {
            let text = format!("`{name}` has {} parameters, not {}.", outputs.len(), call.args.len());
            return self.error(call.line, text);
        }
        let mut args = Vec::new();
        for (number, output) in outputs.iter().enumerate() {
            let given = match call.args.get(number) {
                None | Some(Arg::Wild) => Given::Wild,
                Some(Arg::Out(variable)) => Given::Out(self.variable(variable, call.line)?),
                Some(Arg::In(expr)) => {
                    let resolved = expr.resolve(&mut |name| match name {
                        Expr::Name(name) => {
                            let found = self.scope.iter().rev().find(|(known, _)| known == name);
                            found
                                .map(|(_, at)| Expr::Slot(*at))
                                .ok_or_else(|| format!("there is no variable `{name}`.").into())
                        }
                        _ => Err("attributes of nodes cannot be used here.".into()),
                    });
                    Given::In(resolved.or_else(|error| self.error(call.line, error.to_string()))?)
                }
            };
            match (&given, output) {
                (Given::Wild | Given::Out(_), Some(false)) => {
                    return self.error(
                        call.line,
                        format!("parameter {number} of `{name}` is an input: give it a value."),
                    );
                }
                (Given::In(_), Some(true)) => {
                    return self.error(
                        call.line,
                        format!("parameter {number} of `{name}` is an output: write `out`."),
                    );
                }
                _ => args.push(given),
            }
        }
        Ok(self.site(Site { target, args }))
    }

    fn site(&mut self, site: Site) -> TermId {
        let id = self.sites.len() as CallId;
        self.sites.push(site);
        self.terms.add(Term::Call(id))
    }

    fn variable(&self, name: &str, line: usize) -> Result<usize, GrammarError> {
        match self.scope.iter().rev().find(|(known, _)| known == name) {
            Some((_, at)) => Ok(*at),
            None => self.error(line, format!("there is no variable `{name}`.")),
        }
    }

    /// Compiles a call of all actions of a package that no recipe calls by name; higher priorities go first.
    fn group(&mut self, call: &Call, other: bool) -> Result<TermId, GrammarError> {
        let path = call.name.rsplit_once('.').map_or("", |(path, _)| path);
        let (path, deep) = match path.strip_suffix('*') {
            Some(path) => (path.trim_end_matches('.'), true),
            None => (path, false),
        };
        let package = match (self.package.as_str(), path) {
            ("", path) => path.to_string(),
            (package, "") => package.to_string(),
            (_, path) => path.to_string(),
        };
        let belongs = |name: &str| {
            let own = name.rsplit_once('.').map_or("", |(own, _)| own);
            own == package || (deep && (package.is_empty() || own.starts_with(&format!("{package}."))))
        };
        let wanted = |name: &str| {
            belongs(name) && !self.hidden.contains(name) && !(other && self.named.contains(name))
        };
        let mut found: Vec<(i32, Target, usize)> = Vec::new();
        for (at, rule) in self.actions.rules.iter().enumerate() {
            if rule.is_property() || !wanted(&rule.name) {
                continue;
            }
            if rule.parameters.iter().any(|parameter| parameter.direction == Direction::In) {
                let text =
                    format!("`{}` has input parameters and cannot be called by `{}`.", rule.name, call.name);
                return self.error(call.line, text);
            }
            found.push((rule.priority, Target::Rule(at), rule.parameters.len()));
        }
        for (at, (procedure, _)) in self.sources.iter().enumerate() {
            if !procedure.recipe || !wanted(&procedure.name) {
                continue;
            }
            if procedure.parameters.iter().any(|(out, _)| !out) {
                let text = format!(
                    "`{}` has input parameters and cannot be called by `{}`.",
                    procedure.name, call.name
                );
                return self.error(call.line, text);
            }
            found.push((procedure.priority, Target::Procedure(at), procedure.parameters.len()));
        }
        let mut levels: BTreeMap<i32, Vec<(Target, usize)>> = BTreeMap::new();
        for (priority, target, parameters) in found {
            levels.entry(priority).or_default().push((target, parameters));
        }
        let mut term = DELTA;
        for (_, list) in levels {
            let mut choice = DELTA;
            for (target, parameters) in list.into_iter().rev() {
                let site = self.site(Site { target, args: vec![Given::Wild; parameters] });
                choice = self.terms.or(site, choice);
            }
            // A lower priority is tried only if no action of a higher one can be done.
            term = if term == DELTA { choice } else { self.terms.choose(choice, EPS, term) };
        }
        Ok(term)
    }
}
