//! The run of a plan, as the store sees it: what is done, and where to go on.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, bail};
use arena::{Journal, MatchRecord, NoJournal, StepRecord};
use store::{Book, Entry, Member, Store};

use super::plan::Plan;
use crate::storage::{StoreArguments, quoted};

/// Keeps the matches of a run, or does nothing.
pub(crate) struct Keeper {
    kept: Option<Kept>,
}

struct Kept {
    store: Arc<Store>,
    series: String,
    sheet: Arc<str>,
    members: BTreeMap<u64, Member>,
    again: String,
}

/// What a match is written into and what is written already.
pub(crate) struct Begun {
    /// Where its steps go.
    pub journal: Box<dyn Journal>,
    /// The steps that were made before.
    pub past: Vec<StepRecord>,
    /// The whole match, where it has ended before.
    pub done: Option<MatchRecord>,
}

impl Keeper {
    /// Keeps nothing.
    pub(crate) fn none() -> Keeper {
        Keeper { kept: None }
    }

    /// Keeps a run in a store, under this name or one like it.
    pub(crate) fn begin(
        store: Arc<Store>,
        name: &str,
        plan: &Plan,
        sheet: &Arc<str>,
        from: &StoreArguments,
    ) -> anyhow::Result<Keeper> {
        let series = store.begin_series(name, &serde_json::to_value(plan)?)?;
        Ok(Keeper::of(store, series, BTreeMap::new(), plan, sheet, from))
    }

    /// Goes on with a run.
    pub(crate) fn resume(
        store: Arc<Store>,
        series: &str,
        plan: &Plan,
        sheet: &Arc<str>,
        from: &StoreArguments,
    ) -> anyhow::Result<Keeper> {
        let members: BTreeMap<u64, Member> =
            store.members(series)?.into_iter().map(|member| (member.number, member)).collect();
        if let Some(member) = members.values().next()
            && store.kept(&member.key)?.sheet.is_some_and(|kept| kept != **sheet)
        {
            bail!("The rules of {} have changed since {series} was begun, so it cannot go on.", plan.game);
        }
        Ok(Keeper::of(store, series.to_string(), members, plan, sheet, from))
    }

    fn of(
        store: Arc<Store>,
        series: String,
        members: BTreeMap<u64, Member>,
        plan: &Plan,
        sheet: &Arc<str>,
        from: &StoreArguments,
    ) -> Keeper {
        let games =
            plan.games.as_ref().map(|path| format!(" --games {}", quoted(&path.display().to_string())));
        let again = format!("tafl resume {}{}{}", quoted(&series), from.again(), games.unwrap_or_default());
        Keeper { kept: Some(Kept { store, series, sheet: Arc::clone(sheet), members, again }) }
    }

    /// Opens the match of this number.
    pub(crate) fn open(&self, number: u64) -> anyhow::Result<Begun> {
        let Some(kept) = &self.kept else {
            return Ok(Begun { journal: Box::new(NoJournal), past: Vec::new(), done: None });
        };
        let entry =
            Entry { series: Some((kept.series.clone(), number)), sheet: Some(Arc::clone(&kept.sheet)) };
        match kept.members.get(&number) {
            None => {
                let journal = Box::new(Book::new(&kept.store, entry));
                Ok(Begun { journal, past: Vec::new(), done: None })
            }
            Some(member) => {
                let context = || format!("Cannot go on with {}", member.key);
                let journal = Box::new(Book::again(&kept.store, &member.key).with_context(context)?);
                let past = kept.store.steps(&member.key).with_context(context)?;
                let done = match member.finished {
                    true => Some(kept.store.kept(&member.key)?.record),
                    false => None,
                };
                Ok(Begun { journal, past, done })
            }
        }
    }

    /// The command that goes on with the run, where it is kept.
    pub(crate) fn again(&self) -> Option<&str> {
        self.kept.as_ref().map(|kept| kept.again.as_str())
    }
}
