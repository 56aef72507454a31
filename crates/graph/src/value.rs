//! Data values, and the encoding of nodes and values as numbers.

use std::fmt;
use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

/// The sorts of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// 32-bit integers that wrap around.
    Int,
    /// Truth values.
    Bool,
    /// Floating-point numbers.
    Real,
    /// Text.
    Text,
}

impl Sort {
    /// Returns the sort with this name.
    pub fn named(name: &str) -> Option<Sort> {
        Some(match name {
            "int" => Sort::Int,
            "bool" => Sort::Bool,
            "real" => Sort::Real,
            "string" => Sort::Text,
            _ => return None,
        })
    }
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An integer.
    Int(i32),
    /// A truth value.
    Bool(bool),
    /// A number.
    Real(f64),
    /// Text.
    Text(Arc<str>),
    /// An undefined result, for example of a division by zero.
    Error,
}

impl Value {
    /// Returns the sort; an error has none.
    pub fn sort(&self) -> Option<Sort> {
        Some(match self {
            Value::Int(_) => Sort::Int,
            Value::Bool(_) => Sort::Bool,
            Value::Real(_) => Sort::Real,
            Value::Text(_) => Sort::Text,
            Value::Error => return None,
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(n) => write!(out, "{n}"),
            Value::Bool(b) => write!(out, "{b}"),
            Value::Real(x) => write!(out, "{x:?}"),
            Value::Text(text) => write!(out, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Error => write!(out, "error"),
        }
    }
}

/// A node or a data value: the target of an edge, or the content of a variable.
///
/// A node is encoded as its index. The upper half of the range encodes values: small integers
/// and truth values directly, and all others by a hash of their content, so that (collisions
/// aside) the number of a value does not depend on the order in which values occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(pub u32);

const VALUE: u32 = 1 << 31;
const TABLED: u32 = VALUE | 1 << 30;

impl Item {
    /// No item.
    pub const NONE: Item = Item(u32::MAX);
    const FALSE: Item = Item(TABLED);
    const TRUE: Item = Item(TABLED | 1);
    /// The error value.
    pub const ERROR: Item = Item(TABLED | 2);

    /// Returns the node with this index.
    #[inline]
    pub fn node(index: usize) -> Item {
        Item(index as u32)
    }

    /// Returns `true` if it is a node.
    #[inline]
    pub fn is_node(self) -> bool {
        self.0 & VALUE == 0
    }

    /// Returns `true` if it is a value.
    #[inline]
    pub fn is_value(self) -> bool {
        self.0 & VALUE != 0 && self != Item::NONE
    }

    /// Returns the index of a node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The values that are not encoded directly, by their numbers.
#[derive(Debug, Default)]
pub struct Values {
    table: RwLock<FxHashMap<u32, Value>>,
}

impl Values {
    /// Returns the number of a value.
    pub fn item(&self, value: &Value) -> Item {
        let hash = match value {
            Value::Int(n) if (-(1 << 29)..1 << 29).contains(n) => {
                return Item(VALUE | (*n as u32 & 0x3fff_ffff));
            }
            Value::Bool(false) => return Item::FALSE,
            Value::Bool(true) => return Item::TRUE,
            Value::Error => return Item::ERROR,
            Value::Int(n) => hash(1, &n.to_le_bytes()),
            Value::Real(x) => hash(2, &(if *x == 0.0 { 0.0 } else { *x }).to_bits().to_le_bytes()),
            Value::Text(text) => hash(3, text.as_bytes()),
        };
        let mut number = hash & 0x3fff_ffff;
        loop {
            number = number.clamp(16, 0x3fff_fff0);
            let key = TABLED | number;
            let known = self.table.read().expect("no panic while it is held").get(&key).cloned();
            match known {
                Some(known) if same(&known, value) => return Item(key),
                Some(_) => number = (number + 1) & 0x3fff_ffff,
                None => {
                    let mut table = self.table.write().expect("no panic while it is held");
                    table.entry(key).or_insert_with(|| value.clone());
                }
            }
        }
    }

    /// Returns the number of a text, if it has occurred before.
    pub fn known_text(&self, text: &str) -> Option<Item> {
        let table = self.table.read().expect("no panic while it is held");
        let found = table.iter().find(|(_, value)| matches!(value, Value::Text(known) if **known == *text));
        found.map(|(&number, _)| Item(number))
    }

    /// Returns the value with this number.
    pub fn value(&self, item: Item) -> Value {
        match item {
            Item::FALSE => Value::Bool(false),
            Item::TRUE => Value::Bool(true),
            Item::ERROR => Value::Error,
            Item(number) if number & TABLED == VALUE => Value::Int(((number << 2) as i32) >> 2),
            Item(number) => {
                let table = self.table.read().expect("no panic while it is held");
                table.get(&number).cloned().unwrap_or(Value::Error)
            }
        }
    }

    /// Returns the sort of a value.
    pub fn sort(&self, item: Item) -> Option<Sort> {
        match item {
            Item::FALSE | Item::TRUE => Some(Sort::Bool),
            Item(number) if number & TABLED == VALUE => Some(Sort::Int),
            item => self.value(item).sort(),
        }
    }

    /// Returns the number of values in the table.
    pub fn len(&self) -> usize {
        self.table.read().expect("no panic while it is held").len()
    }

    /// Returns `true` if the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Real(x), Value::Real(y)) => x.to_bits() == y.to_bits() || x == y,
        _ => a == b,
    }
}

/// FNV-1a, with a final multiplication to mix the upper bits.
fn hash(kind: u64, bytes: &[u8]) -> u32 {
    let mut h = 0xcbf2_9ce4_8422_2325 ^ kind;
    for &byte in bytes {
        h = (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    ((h ^ (h >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let values = Values::default();
        let all = [
            Value::Int(0),
            Value::Int(-7),
            Value::Int(i32::MAX),
            Value::Int(i32::MIN),
            Value::Bool(true),
            Value::Bool(false),
            Value::Real(9.81),
            Value::Real(-0.5),
            Value::Text("a b".into()),
            Value::Error,
        ];
        for value in &all {
            assert_eq!(&values.value(values.item(value)), value);
            assert_eq!(values.item(value), values.item(value));
            assert!(values.item(value).is_value());
        }
    }
}
