//! What a program that makes tables all day needs: the memory of those that are alive, and no more. A file of its own,
//! because the memory is that of the whole process.

#![cfg(target_os = "linux")]

mod resident;

use afterstate_search::Table;
use resident::resident;

const BYTES: u64 = 16 << 20;

/// Touches nearly every page of a table.
fn fill(table: &Table) {
    for number in 1..40_000_u64 {
        table.put(number.wrapping_mul(0x9e37_79b9_7f4a_7c15), number, |_| 0);
    }
}

#[test]
fn a_hundred_tables_one_after_the_other_take_the_memory_of_one() {
    let before = resident();
    let mut kept = Vec::new();
    for number in 0..100 {
        let table = Table::with_bytes(BYTES).unwrap();
        fill(&table);
        assert!(resident() > before + BYTES / 2, "the table is there");
        // Small things come and stay between large ones, as in any program.
        kept.push(vec![1_u8; 40 + number]);
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 2 * BYTES, "{} MB more after {} tables", grown >> 20, kept.len());
}
