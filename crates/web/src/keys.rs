//! Names and keys that cannot be guessed.

/// Returns a random key of 128 bits.
pub(crate) fn key() -> String {
    letters(&bytes::<16>())
}

/// Returns a short name for a match: 50 bits, enough to be unique.
pub(crate) fn name() -> String {
    let letters = letters(&bytes::<7>());
    format!("m{}", &letters[..10])
}

/// Returns a seed that fits in a JavaScript number.
pub(crate) fn seed() -> u64 {
    u64::from_le_bytes(bytes::<8>()) >> 11
}

/// Compares two texts in constant time, so that timing does not reveal where they differ.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has a source of randomness");
    bytes
}

/// Encodes five bits per letter, in an alphabet without look-alikes.
fn letters(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let (mut text, mut held, mut bits) = (String::new(), 0u32, 0);
    for &byte in bytes {
        held = held << 8 | u32::from(byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            text.push(char::from(ALPHABET[(held >> bits & 31) as usize]));
        }
    }
    if bits > 0 {
        text.push(char::from(ALPHABET[(held << (5 - bits) & 31) as usize]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_and_never_the_same() {
        let (a, b) = (key(), key());
        assert_eq!(a.len(), 26);
        assert!(a != b && !same(&a, &b) && same(&a, &a.clone()) && !same(&a, &a[1..]));
        assert_eq!(name().len(), 11);
        assert!(seed() < 1 << 53);
    }
}
