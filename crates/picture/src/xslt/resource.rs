//! Images of the repository as `data:` URLs.

use std::fs;
use std::path::{Component, Path};

/// The maximum number of bytes of an image.
const MOST_BYTES: u64 = 300_000;

/// Returns the image at a path below a folder as a `data:` URL, or `None` if there is no such image.
pub(crate) fn load(folder: &Path, path: &str) -> Option<String> {
    let path = Path::new(path);
    if !path.components().all(|component| matches!(component, Component::Normal(_))) {
        return None;
    }
    let kind = match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "png" => "png",
        "gif" => "gif",
        "jpg" | "jpeg" => "jpeg",
        "svg" => "svg+xml",
        _ => return None,
    };
    let path = folder.join(path);
    if fs::metadata(&path).ok()?.len() > MOST_BYTES {
        return None;
    }
    Some(format!("data:image/{kind};base64,{}", base64(&fs::read(path).ok()?)))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let three =
            chunk.iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let value = (three >> (18 - 6 * digit)) & 63;
            out.push(if digit <= chunk.len() { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_standard_says() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn only_pictures_within_the_folder_are_read() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for path in ["../picture/x.png", "/etc/passwd", "Cargo.toml", "missing.png", ""] {
            assert_eq!(load(here, path), None, "{path}");
        }
    }
}
