//! Lines that are longer than a terminal is wide.

/// A line that goes on below itself between two words, this many columns in. Where there is no width it stays one line, for
/// programs that read lines.
pub(crate) fn folded(line: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else { return line.to_owned() };
    let mut text = String::new();
    let mut column = 0;
    let mut words = line.split(' ');
    // Spaces within a line are kept: words between them are empty.
    if let Some(first) = words.next() {
        text += first;
        column = first.chars().count();
    }
    for word in words {
        let length = word.chars().count();
        let fits = column + 1 + length <= width;
        if !fits && !word.is_empty() && column > indent {
            text.truncate(text.trim_end().len());
            text += "\n";
            text += &" ".repeat(indent);
            text += word;
            column = indent + length;
        } else {
            text.push(' ');
            text += word;
            column += 1 + length;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_folded_between_words_and_only_where_there_is_a_width() {
        let line = "  key   = 1  a number: what it does";
        assert_eq!(folded(line, 4, None), line);
        assert_eq!(folded(line, 4, Some(80)), line);
        assert_eq!(folded(line, 4, Some(20)), "  key   = 1  a\n    number: what it\n    does");
        assert_eq!(folded("unbreakable words", 2, Some(5)), "unbreakable\n  words");
        assert_eq!(folded("  indented", 2, Some(5)), "  indented");
        assert_eq!(folded("", 2, Some(5)), "");
    }
}
