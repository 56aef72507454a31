//! Removal of dependences on moves and states that do not exist yet.
//!
//! `legal`, `goal` and `terminal` must not depend on `does`, nor `init` on `true`. Some public
//! sheets violate this, mostly through a relation that depends on `does` in another of its
//! cases. Provers can play them because `does` simply never holds before a move has been made.
//! This module removes such dependences: the relations in between are copied without the rules
//! that need a move (or a state), so that reasoners can rely on the restriction.

use gdl::Span;
use rustc_hash::FxHashMap;

use crate::depend::Graph;
use crate::normalise::{Normal, Places};
use crate::{Keyword, Literal, RelationId, Rule};

/// Returns the same rules without forbidden dependences, or `None` if there are none.
pub(crate) fn cut(normal: &Normal, graph: &Graph) -> Option<(Normal, Graph)> {
    let start = without(normal, graph, &[Keyword::Init], &[Keyword::True, Keyword::Does], "at the start");
    let (normal, graph) = start.as_ref().map_or((normal, graph), |(normal, graph)| (normal, graph));
    let heads = [Keyword::Legal, Keyword::Goal, Keyword::Terminal];
    without(normal, graph, &heads, &[Keyword::Does], "before moves").or(start)
}

/// Returns the same rules, with `heads` depending on copies in which `given` never holds.
fn without(
    normal: &Normal,
    graph: &Graph,
    heads: &[Keyword],
    given: &[Keyword],
    when: &str,
) -> Option<(Normal, Graph)> {
    let depends = graph.depending_on(given);
    let is = |list: &[Keyword], id: RelationId| list.iter().any(|k| k.id() == id);
    if !heads.iter().any(|k| depends[k.id().index()]) {
        return None;
    }
    let mut cut = normal.clone();
    let mut copies: FxHashMap<RelationId, RelationId> = FxHashMap::default();
    let mut work: Vec<RelationId> = heads.iter().map(|k| k.id()).collect();
    while let Some(relation) = work.pop() {
        for &rule in &normal.relations[relation.index()].rules {
            for atom in normal.rules[rule].body.iter().filter_map(Literal::atom) {
                let on = atom.relation;
                if depends[on.index()] && !is(heads, on) && !is(given, on) && !copies.contains_key(&on) {
                    let name = format!("{} {when}", normal.relations[on.index()].name);
                    let arity = normal.relations[on.index()].arity;
                    copies.insert(on, cut.auxiliary(name, arity, Span::default()));
                    work.push(on);
                }
            }
        }
    }
    let mut rules: Vec<(Rule, Places)> = Vec::new();
    for (rule, places) in normal.rules.iter().zip(&normal.places) {
        let head = rule.head.relation;
        if !is(heads, head) {
            rules.push((rule.clone(), places.clone()));
        }
        let to = if is(heads, head) { Some(head) } else { copies.get(&head).copied() };
        if let Some(to) = to {
            rules.extend(stripped(rule, places, to, &copies, |id| is(given, id)));
        }
    }
    cut.replace_rules(rules);
    let graph = Graph::new(&cut);
    Some((cut, graph))
}

/// Returns the rule for `to` that reads the copies, or `None` if it needs something not given yet.
fn stripped(
    rule: &Rule,
    places: &Places,
    to: RelationId,
    copies: &FxHashMap<RelationId, RelationId>,
    given: impl Fn(RelationId) -> bool,
) -> Option<(Rule, Places)> {
    let mut copy = Rule { body: Vec::new(), ..rule.clone() };
    copy.head.relation = to;
    let mut kept = Places { head: places.head, body: Vec::new() };
    for (literal, place) in rule.body.iter().zip(&places.body) {
        match literal {
            Literal::Positive(atom) if given(atom.relation) => return None,
            Literal::Negative(atom) if given(atom.relation) => continue,
            _ => {}
        }
        let mut literal = literal.clone();
        if let Literal::Positive(atom) | Literal::Negative(atom) = &mut literal
            && let Some(copy) = copies.get(&atom.relation)
        {
            atom.relation = *copy;
        }
        copy.body.push(literal);
        kept.body.push(*place);
    }
    Some((copy, kept))
}

#[cfg(test)]
mod tests {
    use crate::{Keyword, Rules, Strictness};

    #[test]
    fn what_is_asked_before_moves_reads_copies_without_them() {
        let sheet = "(role r) (legal r go) (init p) (goal r 50)
            (<= (sees r hint) (true p)) (<= (sees r moved) (does r go)) (<= terminal (sees r hint))
            (<= (legal r stay) (true p) (not (does r go)))";
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let texts: Vec<String> = rules.rules.iter().skip(4).map(|r| rules.rule_text(r)).collect();
        assert_eq!(
            texts,
            [
                "(<= (sees r hint) (true p))",
                "(<= (sees before moves r hint) (true p))",
                "(<= (sees r moved) (does r go))",
                "(<= terminal (sees before moves r hint))",
                "(<= (legal r stay) (true p))",
            ]
        );
        assert!(!rules.relation(Keyword::Terminal.id()).depends_on_does);
        assert!(!rules.relation(Keyword::Legal.id()).depends_on_does);
    }

    #[test]
    fn nothing_is_true_before_the_start() {
        let sheet =
            "(role r) (row 1) (<= (init (cell ?x)) (row ?x) (not (true (cell ?x)))) (<= (init q) (true q))";
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let texts: Vec<String> = rules.rules.iter().skip(2).map(|r| rules.rule_text(r)).collect();
        assert_eq!(texts, ["(<= (init (cell ?x)) (row ?x))"]);
        assert!(rules.relation(Keyword::Init.id()).is_static());
    }
}
