//! The lifetimes of values.

use super::schedule::{Item, Schedule, Source};

/// Returns for each value the items that read it, in order. A value created before a loop and read in it is
/// also live at the end of the loop.
pub(crate) fn uses(schedule: &Schedule) -> Vec<Vec<u32>> {
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); schedule.values as usize];
    let mut made_at = vec![0u32; schedule.values as usize];
    let mut entered: Option<u32> = None;
    let mut read_in_loop: Vec<u32> = Vec::new();
    for (position, item) in schedule.items.iter().enumerate() {
        let position = position as u32;
        let mut read = |source: &Source| {
            if let Source::Made(value) = source {
                uses[*value as usize].push(position);
                if entered.is_some_and(|enter| made_at[*value as usize] < enter) {
                    read_in_loop.push(*value);
                }
            }
        };
        match item {
            Item::Make { number, a, b, .. } => {
                read(a);
                read(b);
                made_at[*number as usize] = position;
            }
            Item::Write { from, .. } | Item::Grow { from, .. } => read(from),
            Item::Enter { .. } => entered = Some(position),
            Item::Repeat => {
                entered = None;
                for value in read_in_loop.drain(..) {
                    uses[value as usize].push(position);
                }
            }
            Item::Constant { .. } | Item::GrowTrue { .. } => {}
        }
    }
    for list in &mut uses {
        list.dedup();
    }
    uses
}
