//! JSON that is the same on every machine.
//!
//! Logarithms and powers come from the system, and systems differ in the last digits. Nine digits are more
//! than any result has.

use serde::Serialize;
use serde_json::{Number, Value};

/// Returns pretty-printed JSON in which every fraction is rounded to nine digits.
pub fn json(of: &impl Serialize) -> String {
    let mut value = serde_json::to_value(of).expect("a report is made of texts and numbers");
    shorten(&mut value);
    format!("{value:#}\n")
}

fn shorten(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let short = number.as_f64().and_then(|number| format!("{number:.8e}").parse().ok());
            if let Some(short) = short.and_then(Number::from_f64) {
                *number = short;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_have_nine_digits_and_counts_stay() {
        let of = serde_json::json!({ "p": [2.0 / 3.0, 1e-20 / 3.0, 1.0], "n": u64::MAX });
        let told: Value = serde_json::from_str(&json(&of)).unwrap();
        let wanted = serde_json::json!({ "p": [0.666666667, 3.33333333e-21, 1.0], "n": u64::MAX });
        assert_eq!(told, wanted);
    }
}
