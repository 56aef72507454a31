//! The labels and types of a grammar, as numbers.

use rustc_hash::FxHashMap;

/// A label of edges. Flags have numbers of their own, in the upper half.
pub type LabelId = u32;

/// Set in the number of a flag.
pub const FLAG: LabelId = 1 << 31;

/// A type of nodes; 0 is that of nodes without a type.
pub type TypeId = u16;

/// Names and numbers of labels and types, and which type is below which.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    labels: Vec<String>,
    flags: Vec<String>,
    label_index: FxHashMap<String, LabelId>,
    flag_index: FxHashMap<String, LabelId>,
    types: Vec<String>,
    type_index: FxHashMap<String, TypeId>,
    /// Pairs of subtype and supertype, as declared.
    above: Vec<(TypeId, TypeId)>,
    /// Types of which there are no nodes.
    pub abstract_types: Vec<TypeId>,
    /// Whether a type graph says which types there are.
    pub typed: bool,
}

impl Vocabulary {
    /// An empty one.
    pub fn new() -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.types.push(String::new());
        vocabulary
    }

    /// The label with this name.
    pub fn label(&mut self, name: &str) -> LabelId {
        if let Some(&id) = self.label_index.get(name) {
            return id;
        }
        let id = self.labels.len() as LabelId;
        self.labels.push(name.to_string());
        self.label_index.insert(name.to_string(), id);
        id
    }

    /// The flag with this name.
    pub fn flag(&mut self, name: &str) -> LabelId {
        if let Some(&id) = self.flag_index.get(name) {
            return id;
        }
        let id = FLAG | self.flags.len() as LabelId;
        self.flags.push(name.to_string());
        self.flag_index.insert(name.to_string(), id);
        id
    }

    /// The type with this name, if there can be one.
    pub fn type_id(&mut self, name: &str) -> Option<TypeId> {
        if let Some(&id) = self.type_index.get(name) {
            return Some(id);
        }
        if self.typed || self.types.len() > 60_000 {
            return None;
        }
        let id = self.types.len() as TypeId;
        self.types.push(name.to_string());
        self.type_index.insert(name.to_string(), id);
        Some(id)
    }

    /// The number of an ordinary label that is known.
    pub fn find_label(&self, name: &str) -> Option<LabelId> {
        self.label_index.get(name).copied()
    }

    /// The number of a flag that is known.
    pub fn find_flag(&self, name: &str) -> Option<LabelId> {
        self.flag_index.get(name).copied()
    }

    /// The number of a type that is known.
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        self.type_index.get(name).copied()
    }

    /// A label's name, without `flag:`.
    pub fn name(&self, label: LabelId) -> &str {
        if label & FLAG == 0 { &self.labels[label as usize] } else { &self.flags[(label & !FLAG) as usize] }
    }

    /// A type's name; empty for none.
    pub fn type_name(&self, id: TypeId) -> &str {
        &self.types[id as usize]
    }

    /// How many types there are.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// All ordinary labels.
    pub fn labels(&self) -> impl Iterator<Item = LabelId> + use<> {
        0..self.labels.len() as LabelId
    }

    /// All flags.
    pub fn flags(&self) -> impl Iterator<Item = LabelId> + use<> {
        (0..self.flags.len() as LabelId).map(|flag| flag | FLAG)
    }

    /// A dense index of a label: ordinary labels first, then flags.
    pub fn dense(&self, label: LabelId) -> usize {
        if label & FLAG == 0 { label as usize } else { self.labels.len() + (label & !FLAG) as usize }
    }

    /// How many labels and flags there are.
    pub fn dense_count(&self) -> usize {
        self.labels.len() + self.flags.len()
    }

    /// Declares a subtype.
    pub fn declare_subtype(&mut self, sub: TypeId, above: TypeId) {
        self.above.push((sub, above));
    }

    /// For each type whether it is the given one or below it.
    pub fn below(&self, id: TypeId) -> Vec<bool> {
        let mut below = vec![false; self.types.len()];
        let mut work = vec![id];
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut below[at as usize], true) {
                work.extend(self.above.iter().filter(|(_, above)| *above == at).map(|(sub, _)| *sub));
            }
        }
        below
    }
}
