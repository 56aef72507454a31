//! The labels and types of a grammar, encoded as numbers.

use rustc_hash::FxHashMap;

/// A label of edges. Flags are numbered separately, in the upper half of the range.
pub type LabelId = u32;

/// The bit that is set in the number of a flag.
pub const FLAG: LabelId = 1 << 31;

/// A type of nodes; 0 is the type of untyped nodes.
pub type TypeId = u16;

/// The names and numbers of labels and types, and the subtype relation.
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
    /// Types that have no nodes of their own.
    pub abstract_types: Vec<TypeId>,
    /// Whether a type graph declares all types.
    pub typed: bool,
}

impl Vocabulary {
    /// Creates a vocabulary with only the empty type.
    pub fn new() -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.types.push(String::new());
        vocabulary
    }

    /// Returns the label with this name, which is added if it is new.
    pub fn label(&mut self, name: &str) -> LabelId {
        if let Some(&id) = self.label_index.get(name) {
            return id;
        }
        let id = self.labels.len() as LabelId;
        self.labels.push(name.to_string());
        self.label_index.insert(name.to_string(), id);
        id
    }

    /// Returns the flag with this name, which is added if it is new.
    pub fn flag(&mut self, name: &str) -> LabelId {
        if let Some(&id) = self.flag_index.get(name) {
            return id;
        }
        let id = FLAG | self.flags.len() as LabelId;
        self.flags.push(name.to_string());
        self.flag_index.insert(name.to_string(), id);
        id
    }

    /// Returns the type with this name, which is added if it is new. Returns `None` if it cannot be added.
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

    /// Returns an ordinary label that is already known.
    pub fn find_label(&self, name: &str) -> Option<LabelId> {
        self.label_index.get(name).copied()
    }

    /// Returns a flag that is already known.
    pub fn find_flag(&self, name: &str) -> Option<LabelId> {
        self.flag_index.get(name).copied()
    }

    /// Returns a type that is already known.
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        self.type_index.get(name).copied()
    }

    /// Returns the name of a label, without `flag:`.
    pub fn name(&self, label: LabelId) -> &str {
        if label & FLAG == 0 { &self.labels[label as usize] } else { &self.flags[(label & !FLAG) as usize] }
    }

    /// Returns the name of a type; empty for untyped nodes.
    pub fn type_name(&self, id: TypeId) -> &str {
        &self.types[id as usize]
    }

    /// Returns the number of types.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// Returns all ordinary labels.
    pub fn labels(&self) -> impl Iterator<Item = LabelId> + use<> {
        0..self.labels.len() as LabelId
    }

    /// Returns all flags.
    pub fn flags(&self) -> impl Iterator<Item = LabelId> + use<> {
        (0..self.flags.len() as LabelId).map(|flag| flag | FLAG)
    }

    /// Returns a dense index of a label: ordinary labels first, then flags.
    pub fn dense(&self, label: LabelId) -> usize {
        if label & FLAG == 0 { label as usize } else { self.labels.len() + (label & !FLAG) as usize }
    }

    /// Returns the number of labels and flags.
    pub fn dense_count(&self) -> usize {
        self.labels.len() + self.flags.len()
    }

    /// Declares a subtype.
    pub fn declare_subtype(&mut self, sub: TypeId, above: TypeId) {
        self.above.push((sub, above));
    }

    /// Returns, for each type, whether it is the given one or one of its subtypes.
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
