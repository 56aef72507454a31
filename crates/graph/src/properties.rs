//! The settings of a grammar: `system.properties`.

use std::collections::BTreeMap;

use crate::GrammarError;

/// What happens if a property rule or the typing of a grammar is violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Nothing.
    Off,
    /// The transition of a condition is not shown.
    Silent,
    /// The state is an error: it is not final and has no transitions.
    #[default]
    Error,
    /// The state is removed.
    Remove,
}

/// The settings that affect the meaning of a grammar.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    /// Distinct nodes of a rule match distinct nodes of the graph.
    pub injective: bool,
    /// A rule does not match if erasing a node would leave dangling edges.
    pub check_dangling: bool,
    /// A rule does not match if an edge that it creates between existing nodes is already present.
    pub check_creator_edges: bool,
    /// The right-hand side is a negative application condition: what a rule creates must not exist yet.
    pub rhs_is_nac: bool,
    /// States are compared by the identity of nodes rather than up to isomorphism.
    pub by_identity: bool,
    /// Whether arguments are shown; `None` shows them if the action has parameters.
    pub arguments: Option<bool>,
    /// The names of the start graphs, if given.
    pub start: Option<Vec<String>>,
    /// The names of the type graphs.
    pub types: Vec<String>,
    /// The names of the control programs.
    pub control: Vec<String>,
    /// Rules enabled or disabled by name.
    pub enabling: BTreeMap<String, bool>,
    /// The policies of property rules, by name.
    pub policies: BTreeMap<String, Policy>,
    /// The policy for violations of typing.
    pub type_policy: Policy,
    /// Whether a state that has no transitions and is not final is an error.
    pub deadlock_is_error: bool,
}

/// The name of the file, for error messages.
const FILE: &str = "system.properties";

impl Properties {
    /// Parses the text of the file.
    pub fn parse(text: &str) -> Result<Properties, GrammarError> {
        let pairs = pairs(text);
        let wrong = |key: &str, value: &str, message: &str| {
            Err(GrammarError::new(FILE, message).at(key.to_string()).label(value))
        };
        let mut found = Properties { type_policy: Policy::Error, ..Properties::default() };
        let version = pairs.get("grammarVersion").map_or("", String::as_str);
        let old = version_below(version, 3, 2);
        for (key, value) in &pairs {
            let yes = matches!(value.as_str(), "true" | "1");
            let names = || value.split_whitespace().map(str::to_string).collect::<Vec<_>>();
            if value.is_empty() {
                continue;
            }
            match key.as_str() {
                "matchInjective" => found.injective = yes,
                "checkDangling" => found.check_dangling = yes,
                "checkCreatorEdges" => found.check_creator_edges = yes,
                "rhsIsNAC" => found.rhs_is_nac = yes,
                "checkIsomorphism" => found.by_identity = !yes,
                "parallelEdges" if value != "none" && value != "false" => {
                    return wrong(key, value, "parallel edges are not supported; graphs are simple.");
                }
                "algebraFamily" if value != "default" => {
                    return wrong(key, value, "only the default algebra is supported.");
                }
                "transitionParameters" => {
                    found.arguments = match value.as_str() {
                        "true" | "1" => Some(true),
                        "false" | "0" => Some(false),
                        _ => None,
                    }
                }
                "startGraph" => found.start = Some(names()),
                "typeGraph" => found.types = names(),
                "controlProgram" => found.control = names(),
                "ruleEnabling" => {
                    for name in names() {
                        let (name, on) = match name.strip_prefix('-') {
                            Some(name) => (name, false),
                            None => (name.strip_prefix('+').unwrap_or(&name), true),
                        };
                        found.enabling.insert(name.to_string(), on);
                    }
                }
                "actionPolicy" => {
                    for pair in names() {
                        let (rule, policy) = pair.rsplit_once(':').unwrap_or((&pair, "error"));
                        let Some(policy) = policy_of(policy) else {
                            return wrong(key, &pair, "the policy must be off, silent, error or remove.");
                        };
                        found.policies.insert(rule.to_string(), policy);
                    }
                }
                "typePolicy" => {
                    let Some(policy) = policy_of(value) else {
                        return wrong(key, value, "the policy must be off, error or remove.");
                    };
                    found.type_policy = policy;
                }
                "deadlockPolicy" => found.deadlock_is_error = value == "error",
                "valueOracle" if value != "none" => {
                    return wrong(key, value, "value oracles are not supported.");
                }
                "userOperations" => return wrong(key, value, "user-defined operations are not supported."),
                _ => {}
            }
        }
        if found.start.is_none() && old {
            found.start = Some(vec!["start".to_string()]);
        }
        Ok(found)
    }
}

fn policy_of(text: &str) -> Option<Policy> {
    Some(match text {
        "off" => Policy::Off,
        "silent" => Policy::Silent,
        "error" => Policy::Error,
        "remove" => Policy::Remove,
        _ => return None,
    })
}

/// Returns `true` if a version such as `3.11` is lower than another. A missing version is lowest.
fn version_below(version: &str, major: u32, minor: u32) -> bool {
    let mut numbers = version.split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < (major, minor)
}

/// Parses the keys and values of a Java properties file.
fn pairs(text: &str) -> BTreeMap<String, String> {
    let mut pairs = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut line = line.trim_start().to_string();
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        while line.ends_with('\\') && !line.ends_with("\\\\") {
            line.pop();
            let Some(more) = lines.next() else { break };
            line.push_str(more.trim_start());
        }
        let (mut key, mut value, mut in_value, mut escaped) = (String::new(), String::new(), false, false);
        let mut separator = false;
        for c in line.chars() {
            let fresh = in_value && value.is_empty();
            let target = if in_value { &mut value } else { &mut key };
            if escaped {
                target.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if !in_value && matches!(c, '=' | ':' | ' ' | '\t') {
                in_value = true;
                separator = c == '=' || c == ':';
            } else if fresh && (c.is_whitespace() || (!separator && matches!(c, '=' | ':'))) {
                separator |= !c.is_whitespace();
            } else {
                target.push(c);
            }
        }
        pairs.insert(key, value.trim().to_string());
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_comments_and_old_versions_are_understood() {
        let text =
            "#c\nmatchInjective=true\nactionPolicy=win\\:error a:remove\n start Graph=x\ntypeGraph = a b\n";
        let found = Properties::parse(text).unwrap();
        assert!(found.injective);
        assert_eq!(found.types, ["a", "b"]);
        assert_eq!(found.policies["a"], Policy::Remove);
        assert_eq!(found.start, Some(vec!["start".to_string()]));
    }

    #[test]
    fn what_is_not_supported_is_named() {
        let error = Properties::parse("parallelEdges=DPO").unwrap_err().to_string();
        assert_eq!(
            error,
            "system.properties, parallelEdges, label `DPO`: parallel edges are not supported; graphs are simple."
        );
    }
}
