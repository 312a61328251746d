//! The four moves.

use std::fmt;

use crate::line::Sense;

/// A move: all tiles slide this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards the first row.
    Up = 0,
    /// Towards the last column.
    Right = 1,
    /// Towards the last row.
    Down = 2,
    /// Towards the first column.
    Left = 3,
}

impl Direction {
    /// All moves, in the order in which they are generated.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The name in text: `up`, `right`, `down` or `left`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
            Self::Left => "left",
        }
    }

    /// The letter used in records: `U`, `R`, `D` or `L`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Right => 'R',
            Self::Down => 'D',
            Self::Left => 'L',
        }
    }

    /// The direction with this name or letter, in upper or lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| {
            let mut letter = [0; 4];
            let letter: &str = direction.letter().encode_utf8(&mut letter);
            name.eq_ignore_ascii_case(direction.name()) || name.eq_ignore_ascii_case(letter)
        })
    }

    /// Whether columns slide, not rows.
    #[inline]
    pub(crate) const fn is_vertical(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }

    /// Which way the lines slide.
    #[inline]
    pub(crate) const fn sense(self) -> Sense {
        match self {
            Self::Up | Self::Left => Sense::Forward,
            Self::Right | Self::Down => Sense::Backward,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_is_found_by_name_and_letter() {
        for direction in Direction::ALL {
            assert_eq!(Direction::from_name(direction.name()), Some(direction));
            assert_eq!(Direction::from_name(&direction.letter().to_string()), Some(direction));
            assert_eq!(Direction::from_name(&direction.name().to_uppercase()), Some(direction));
        }
        assert_eq!(Direction::from_name("upp"), None);
        assert_eq!(Direction::from_name(""), None);
    }
}
