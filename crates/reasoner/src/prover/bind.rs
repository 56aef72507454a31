//! Reading, matching and building terms with registers.

use super::plan::{Known, Match, Operand};
use crate::meter::{Blown, Meter};
use crate::{TermId, TermPool};

/// Returns the value of a known term.
#[inline]
pub(crate) fn value(known: Known, registers: &[TermId]) -> TermId {
    match known {
        Known::Register(register) => registers[register as usize],
        Known::Constant(constant) => constant,
    }
}

/// Replaces `key` by the values of known terms.
#[inline]
pub(crate) fn gather(known: &[Known], registers: &[TermId], key: &mut Vec<TermId>) {
    key.clear();
    key.extend(known.iter().map(|&k| value(k, registers)));
}

/// Returns `true` if a term matches. Binds registers to its parts.
#[inline]
pub(crate) fn matches(wanted: &Match, term: TermId, registers: &mut [TermId], pool: &TermPool) -> bool {
    match wanted {
        Match::Bind(register) => {
            registers[*register as usize] = term;
            true
        }
        Match::Same(register) => registers[*register as usize] == term,
        Match::Constant(constant) => *constant == term,
        Match::Function(name, parts) => {
            let arguments = pool.arguments(term);
            pool.functor(term) == *name
                && arguments.len() == parts.len()
                && parts.iter().zip(arguments).all(|(part, &t)| matches(part, t, registers, pool))
        }
    }
}

/// Builds a term. Fails if it is nested too deeply or needs too much memory.
pub(crate) fn build(
    operand: &Operand,
    registers: &[TermId],
    pool: &mut TermPool,
    meter: &Meter,
    stack: &mut Vec<TermId>,
) -> Result<TermId, Blown> {
    match operand {
        Operand::Register(register) => Ok(registers[*register as usize]),
        Operand::Constant(constant) => Ok(*constant),
        Operand::Function(name, parts) => {
            let base = stack.len();
            for part in parts {
                let part = build(part, registers, pool, meter, stack)?;
                stack.push(part);
            }
            let term = pool.intern(*name, &stack[base..]);
            stack.truncate(base);
            if pool.depth(term) > meter.limits().depth {
                return Err(Blown::Depth);
            }
            meter.terms(pool.words())?;
            Ok(term)
        }
    }
}
