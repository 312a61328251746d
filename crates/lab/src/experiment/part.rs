//! A part of the games of an experiment: what one of several machines plays.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// One of several equal parts of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one, counted from 1.
    number: u64,
    /// How many there are.
    of: u64,
}

/// Text that names no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part: 2/3 is the second of three, and there may be up to {most}", most = Part::MOST)]
pub struct NoPart(String);

impl Part {
    /// All games.
    pub const WHOLE: Self = Self { number: 1, of: 1 };
    /// The most parts there may be.
    pub const MOST: u64 = 10_000;

    /// Whether there is no other part.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.of == 1
    }

    /// Whether a game belongs to it. Each game with an even number and the one after it belong together: in a match they are
    /// an opening with both colours.
    #[must_use]
    pub fn holds(self, game: u64) -> bool {
        game / 2 % self.of == self.number - 1
    }

    /// How many of these games belong to other parts.
    pub(super) fn left_to_others(self, games: &[Range<u64>]) -> u64 {
        if self.is_whole() {
            return 0;
        }
        games.iter().cloned().flatten().filter(|&game| !self.holds(game)).count() as u64
    }
}

impl Default for Part {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl FromStr for Part {
    type Err = NoPart;

    fn from_str(text: &str) -> Result<Self, NoPart> {
        let part = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match part {
            Some((number, of)) if (1..=Self::MOST).contains(&of) && (1..=of).contains(&number) => {
                Ok(Self { number, of })
            }
            _ => Err(NoPart(text.to_owned())),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_part_beside_its_partner() {
        let parts = ["1/3", "2/3", "3/3"].map(|text| text.parse::<Part>().unwrap());
        for game in 0..40 {
            assert_eq!(parts.iter().filter(|part| part.holds(game)).count(), 1, "{game}");
            assert!(parts.iter().all(|part| part.holds(game) == part.holds(game ^ 1)), "{game}");
        }
        assert!(Part::WHOLE.is_whole() && (0..9).all(|game| Part::WHOLE.holds(game)));
        assert_eq!(parts[1].to_string(), "2/3");
        assert_eq!(parts[0].left_to_others(&[0..3, 5..7]), 2, "3 and 4 are stored, 2 and 5 are others'");
        assert_eq!(Part::WHOLE.left_to_others(&[0..9, 20..u64::MAX]), 0);
    }

    #[test]
    fn what_is_no_part_is_refused_with_an_example() {
        for text in ["", "2", "0/3", "4/3", "1/0", "1/10001", "-1/2", "1/2/3", "a/b", "1.5/2"] {
            let error = text.parse::<Part>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")) && error.contains("2/3"), "{error}");
        }
    }
}
