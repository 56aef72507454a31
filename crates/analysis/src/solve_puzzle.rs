//! Plans for puzzles.
//!
//! Independent parts are searched separately. Otherwise, positions are visited breadth-first, without the
//! step counter and with symmetric positions merged, so the first plan for 100 is a shortest one. If there
//! are too many positions, iterative deepening searches for a shortest plan, bounded by the length of a
//! plan that bidirectional search may have found before. It either finds a shorter plan or proves that
//! there is none.

use game::{Fault, Game, Goal, MoveId, RoleId};
use players::exact::{
    Deepened, Depths, Explored, Fold, Graph, Limits, Met, Progress, apart, deepen, explore, meet,
};

use crate::solve::{FirstMove, RoleValue, Solution, SolveLimits, SolveProgress};

/// The maximum number of positions for an exhaustive search that does not merge symmetric positions.
const FEW: usize = 1 << 19;
/// The goal that ends the search.
const TOP: Goal = 100;

impl Solution {
    /// Searches part by part. Returns `false` if that does not solve the puzzle.
    pub(crate) fn by_parts<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        whole: &Limits,
        watch: &mut impl FnMut(SolveProgress),
    ) -> Result<bool, Fault> {
        let structure = game::structure(game);
        if structure.aims.iter().all(|aim| aim.goal < TOP) {
            return Ok(false);
        }
        let watch = |at: Progress| watch(SolveProgress::Exploring(at));
        let Some(found) =
            apart(game, scratch, from, &structure, whole, watch)?.filter(|found| found.shortest)
        else {
            return Ok(false);
        };
        self.method = "shortest plan";
        self.visited = found.positions as u64;
        self.parts = Some(found.parts);
        self.planned_moves(game, &found.moves);
        Ok(true)
    }

    /// Searches from both ends for a plan that reaches the best goal; it need not be a shortest one.
    pub(crate) fn both_ends<G: Game>(
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        whole: &Limits,
        watch: &mut impl FnMut(SolveProgress),
    ) -> Result<Option<Met>, Fault> {
        let structure = game::structure(game);
        if structure.aims.iter().all(|aim| aim.goal < TOP) {
            return Ok(None);
        }
        meet(game, scratch, from, &structure, whole, |at| watch(SolveProgress::Exploring(at)))
    }

    /// Searches by iterative deepening, up to the length of a plan that is already known. Returns `false`
    /// if no plan is known in the end.
    pub(crate) fn planned<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        limits: &SolveLimits,
        met: Option<Met>,
        watch: &mut impl FnMut(SolveProgress),
    ) -> Result<bool, Fault> {
        let structure = game::structure(game);
        let deadline = limits.deadline.clone();
        let longest = met.as_ref().map_or(usize::MAX, |met| met.moves.len());
        let mut shortest = None;
        if limits.proof > 0 {
            let depths = Depths {
                memory: limits.proof,
                states: u64::MAX,
                longest: longest.saturating_sub(1),
                deadline,
            };
            let (found, visited) =
                deepen(game, scratch, from, &structure, TOP, &depths, |visited, bound| {
                    watch(SolveProgress::Deepening(bound, visited));
                })?;
            self.visited += visited;
            match found {
                Deepened::Plan(moves) => shortest = Some(moves),
                // No shorter plan exists, so the known one is a shortest.
                Deepened::Open(least) if least >= longest => {
                    shortest = met.as_ref().map(|met| met.moves.clone());
                }
                _ => {}
            }
        }
        self.visited += met.as_ref().map_or(0, |met| met.positions as u64);
        self.method = if shortest.is_some() { "shortest plan" } else { "plan" };
        let Some(moves) = shortest.or(met.map(|met| met.moves)) else {
            self.method = "exhaustive";
            return Ok(false);
        };
        self.planned_moves(game, &moves);
        Ok(true)
    }

    /// Records a plan for the best goal.
    fn planned_moves<G: Game>(&mut self, game: &G, moves: &[MoveId]) {
        self.solved = true;
        let role = game.roles()[0].to_string();
        let value = f64::from(TOP);
        self.roles = vec![RoleValue { role, low: value, high: value }];
        self.plan = Some(moves.iter().map(|mv| game.move_text(RoleId(0), *mv)).collect());
        self.first_of_plan(game, value);
    }

    /// Records the first move of the plan if no other first moves are recorded.
    fn first_of_plan<G: Game>(&mut self, game: &G, value: f64) {
        if self.moves.is_empty()
            && let Some(first) = self.plan.as_ref().and_then(|plan| plan.first())
        {
            let role = game.roles()[0].to_string();
            self.moves =
                vec![FirstMove { role, text: first.clone(), value: Some(value), share: None, best: true }];
        }
    }

    /// Searches without the step counter, first for all positions, then with symmetric positions merged for
    /// a plan. Returns `false` if that does not solve the puzzle.
    pub(crate) fn folded<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        whole: &Limits,
        role: RoleId,
        watch: &mut impl FnMut(SolveProgress),
    ) -> Result<bool, Fault> {
        let structure = game::structure(game);
        let counter = structure.clock.as_ref().and_then(Fold::of);
        let ways = [(counter, FEW, None), (Fold::all(&structure), usize::MAX, Some((role, TOP)))];
        for (fold, most, enough) in ways {
            let Some(fold) = fold else { continue };
            let free = if fold.has_counter() { fold.steps(game, from)? } else { Some(usize::MAX) };
            let Some(free) = free else { continue };
            let positions = whole.positions.min(most);
            let bounds = Limits { fold: Some(fold.clone()), positions, enough, ..whole.clone() };
            let explored =
                explore(game, scratch, from, &bounds, |progress| watch(SolveProgress::Exploring(progress)))?;
            let (graph, all) = match explored {
                Explored::Whole(graph) if enough.is_none() => (graph, true),
                Explored::Found(graph) => (graph, false),
                _ => continue,
            };
            let mut found = Solution { version: 1, method: "shortest plan", ..Solution::default() };
            found.puzzle(game, scratch, from, &graph, TOP)?;
            // A plan is valid only if it ends before the counter matters.
            if found.plan.as_ref().is_some_and(|plan| plan.len() <= free) {
                found.visited = graph.positions() as u64;
                if all {
                    found.positions = Some(found.visited);
                    found.terminal = Some(graph.terminal() as u64);
                }
                found.without_counter = fold.has_counter();
                *self = found;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records a shortest plan for a puzzle whose best goal is known.
    pub(crate) fn puzzle<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &G::State,
        graph: &Graph<G::State>,
        best: Goal,
    ) -> Result<(), Fault> {
        self.solved = true;
        let value = f64::from(best);
        self.roles = vec![RoleValue { role: game.roles()[0].to_string(), low: value, high: value }];
        let plan =
            graph.shortest(game, scratch, from, |goals| goals[0].unwrap_or(0).clamp(0, 100) == best)?;
        self.plan = plan.map(|plan| plan.iter().map(|joint| game.move_text(RoleId(0), joint[0])).collect());
        self.first_of_plan(game, value);
        Ok(())
    }
}
