//! The head of safetensors: the length of a JSON header, and the header with notes and the places of tensors.
//!
//! The crate `safetensors` takes notes in a hash map, whose order changes from file to file. Here everything keeps its order, so
//! that the same content is the same bytes.

use std::io;

use safetensors::tensor::{Dtype, TensorInfo};
use serde_json::{Map, Value};

/// A tensor as its header describes it.
pub(crate) struct Described<'a> {
    pub(crate) name: &'a str,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<usize>,
}

/// The head of a file with these notes and tensors, and the bytes that the tensors take behind it.
pub(crate) fn head<'a>(
    notes: impl IntoIterator<Item = (&'a str, &'a str)>,
    tensors: impl IntoIterator<Item = Described<'a>>,
) -> io::Result<(Vec<u8>, usize)> {
    let notes: Map<String, Value> = notes.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect();
    let mut header = Map::from_iter([("__metadata__".to_owned(), Value::Object(notes))]);
    let mut begin = 0;
    for Described { name, dtype, shape } in tensors {
        let end = begin + shape.iter().product::<usize>() * dtype.bitsize() / 8;
        let info = TensorInfo { dtype, shape, data_offsets: (begin, end) };
        header.insert(name.to_owned(), serde_json::to_value(info)?);
        begin = end;
    }
    let mut text = serde_json::to_vec(&header)?;
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut head = (text.len() as u64).to_le_bytes().to_vec();
    head.append(&mut text);
    Ok((head, begin))
}

#[cfg(test)]
mod tests {
    use safetensors::SafeTensors;

    use super::*;

    #[test]
    fn a_head_is_what_readers_of_safetensors_expect_in_the_order_that_was_given() {
        let notes = [("z", "1"), ("a", "\"2\""), ("m", "")];
        let tensors =
            [("weights", Dtype::F32, vec![2, 3]), ("bytes", Dtype::U8, vec![5]), ("empty", Dtype::U64, vec![0])];
        let described =
            tensors.iter().map(|(name, dtype, shape)| Described { name, dtype: *dtype, shape: shape.clone() });
        let (mut bytes, size) = head(notes, described).unwrap();
        assert_eq!((size, bytes.len() % 8), (29, 0));
        let text = String::from_utf8(bytes[8..].to_vec()).unwrap();
        let start = r#"{"__metadata__":{"z":"1","a":"\"2\"","m":""},"weights":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}"#;
        assert!(text.starts_with(start), "{text}");
        bytes.extend(0..29);
        let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
        assert_eq!(metadata.metadata().as_ref().unwrap()["a"], "\"2\"");
        let read = SafeTensors::deserialize(&bytes).unwrap();
        assert_eq!(read.tensor("bytes").unwrap().data(), [24, 25, 26, 27, 28]);
        assert_eq!(read.tensor("weights").unwrap().shape(), [2, 3]);
        assert!(read.tensor("empty").unwrap().data().is_empty());
    }
}
