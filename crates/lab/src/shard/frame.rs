//! Frames: bytes with their length and checksums.
//!
//! ```text
//! length: u32   check of the length: u32   payload   check of the payload: u32
//! ```
//!
//! All numbers are little-endian, checks are CRC-32. The length has a check of its own, because a wrong length would look like
//! a tail that was cut off, and hide everything behind it.

use std::io::{self, Read};

const HEAD: usize = 8;
const CHECK: usize = 4;
/// The bytes of a frame besides its payload.
pub(super) const OVERHEAD: u64 = (HEAD + CHECK) as u64;

/// Appends a frame with what `fill` writes.
pub(super) fn push(buffer: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    let head = buffer.len();
    buffer.extend([0; HEAD]);
    fill(buffer);
    let payload = head + HEAD;
    // A game that fills four gigabytes does not exist.
    let length = u32::try_from(buffer.len() - payload).unwrap_or(u32::MAX).to_le_bytes();
    buffer[head..head + 4].copy_from_slice(&length);
    buffer[head + 4..payload].copy_from_slice(&crc32fast::hash(&length).to_le_bytes());
    let check = crc32fast::hash(&buffer[payload..]).to_le_bytes();
    buffer.extend(check);
}

/// What comes next in a file of frames.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A whole frame; its payload is in the buffer.
    Frame,
    /// Nothing more.
    End,
    /// The beginning of a frame whose rest is missing: not written yet, or never.
    Torn,
    /// Bytes that nobody wrote, with more behind them.
    Damaged(&'static str),
}

/// Reads one frame of the `left` bytes that `source` still has.
pub(super) fn read(source: &mut impl Read, left: u64, payload: &mut Vec<u8>) -> io::Result<Next> {
    if left == 0 {
        return Ok(Next::End);
    }
    if left < OVERHEAD {
        return Ok(Next::Torn);
    }
    let mut head = [0; HEAD];
    source.read_exact(&mut head)?;
    let [length, check] = halves(head);
    if crc32fast::hash(&length.to_le_bytes()) != check {
        // A file system that lost its power may have lengthened the file without writing what belongs there.
        let only_zeros = head == [0; HEAD] && all_zeros(source.take(left - HEAD as u64))?;
        return Ok(if only_zeros { Next::Torn } else { Next::Damaged("the length of a frame") });
    }
    let rest = left - OVERHEAD;
    if u64::from(length) > rest {
        return Ok(Next::Torn);
    }
    payload.resize(length as usize, 0);
    source.read_exact(payload)?;
    let mut check = [0; CHECK];
    source.read_exact(&mut check)?;
    if crc32fast::hash(payload) == u32::from_le_bytes(check) {
        return Ok(Next::Frame);
    }
    Ok(if u64::from(length) == rest { Next::Torn } else { Next::Damaged("the checksum of a frame") })
}

fn halves(head: [u8; HEAD]) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = head;
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

fn all_zeros(mut source: impl Read) -> io::Result<bool> {
    let mut block = [0; 4096];
    loop {
        match source.read(&mut block)? {
            0 => return Ok(true),
            count if block[..count].iter().any(|&byte| byte != 0) => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All payloads up to the first that is not whole, and how it ends.
    fn read_all(mut bytes: &[u8]) -> (Vec<Vec<u8>>, Next) {
        let (mut found, mut payload) = (Vec::new(), Vec::new());
        loop {
            let left = bytes.len() as u64;
            match read(&mut bytes, left, &mut payload).expect("bytes in memory") {
                Next::Frame => found.push(payload.clone()),
                end => return (found, end),
            }
        }
    }

    fn written(payloads: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        payloads.iter().for_each(|payload| push(&mut bytes, |buffer| buffer.extend(payload)));
        bytes
    }

    fn payloads() -> impl Strategy<Value = Vec<Vec<u8>>> {
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..5)
    }

    proptest! {
        #[test]
        fn frames_are_read_as_they_were_written(payloads in payloads()) {
            prop_assert_eq!(read_all(&written(&payloads)), (payloads, Next::End));
        }

        #[test]
        fn a_tail_cut_at_any_byte_is_torn_and_costs_nothing_else(payloads in payloads()) {
            let bytes = written(&payloads);
            for end in 0..bytes.len() {
                let (found, how) = read_all(&bytes[..end]);
                prop_assert_eq!(&found[..], &payloads[..found.len()]);
                let whole = written(&found).len() == end;
                prop_assert_eq!(how, if whole { Next::End } else { Next::Torn });
            }
        }

        #[test]
        fn a_tail_of_zeros_is_torn(payloads in payloads(), zeros in 1_usize..10_000) {
            let mut bytes = written(&payloads);
            bytes.extend(vec![0; zeros]);
            prop_assert_eq!(read_all(&bytes), (payloads, Next::Torn));
        }

        #[test]
        fn a_changed_byte_is_never_taken_for_what_was_written(payloads in payloads(), flip in 1_u8..) {
            let bytes = written(&payloads);
            let last = bytes.len() - written(&payloads[payloads.len() - 1..]).len();
            for place in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[place] ^= flip;
                let (found, how) = read_all(&changed);
                prop_assert!(found.len() < payloads.len(), "one frame is not what it was");
                prop_assert_eq!(&found[..], &payloads[..found.len()]);
                if place < last {
                    prop_assert!(matches!(how, Next::Damaged(_)), "byte {} of {}: {:?}", place, bytes.len(), how);
                }
            }
        }
    }
}
