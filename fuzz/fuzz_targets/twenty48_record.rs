//! Any bytes are records of 2048 or an error; records are written as they are read.
#![no_main]

use afterstate_twenty48::{Record, Records};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(records) = Records::new(bytes).collect::<Result<Vec<Record>, _>>() else { return };
    let text: String = records.iter().map(Record::to_string).collect();
    let read: Result<Vec<Record>, _> = Records::new(text.as_bytes()).collect();
    assert_eq!(read.ok(), Some(records));
});
