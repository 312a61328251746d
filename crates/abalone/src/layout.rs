//! The layouts a game can begin from.

use std::fmt;
use std::str::FromStr;

use afterstate_game::Side;

use crate::Position;
use crate::text::posref;

/// A named starting position. Black begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Two blocks that face each other: the layout of the printed rules.
    Standard,
    /// Four flowers in the corners, the layout of tournaments.
    BelgianDaisy,
    /// Four flowers one row nearer to each other.
    GermanDaisy,
    /// German Daisy with hearts of the other colour.
    SwissDaisy,
    /// Belgian Daisy with hearts of the other colour.
    DutchDaisy,
    /// Two arms round the middle.
    Domination,
    /// Two figures with outstretched arms.
    Alien,
    /// Two blocks that touch in the middle.
    FaceAFace,
    /// Scattered marbles, twelve a side.
    Atomouche,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Self; 9] = [
        Self::Standard,
        Self::BelgianDaisy,
        Self::GermanDaisy,
        Self::SwissDaisy,
        Self::DutchDaisy,
        Self::Domination,
        Self::Alien,
        Self::FaceAFace,
        Self::Atomouche,
    ];

    /// The name in the community's spelling.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "Standard",
            Self::BelgianDaisy => "Belgian Daisy",
            Self::GermanDaisy => "German Daisy",
            Self::SwissDaisy => "Swiss Daisy",
            Self::DutchDaisy => "Dutch Daisy",
            Self::Domination => "Domination",
            Self::Alien => "Alien",
            Self::FaceAFace => "Face a Face",
            Self::Atomouche => "Atomouche",
        }
    }

    /// The marbles as a posRef string.
    #[must_use]
    pub const fn posref(self) -> &'static str {
        match self {
            Self::Standard => "0a12345b123456c345_0g567h456789i56789",
            Self::BelgianDaisy => "0a12b123c23g78h789i89_0a45b456c56g45h456i56",
            Self::GermanDaisy => "0b12c123d23f78g789h89_0b56c567d67f34g345h45",
            Self::SwissDaisy => "0b12c136d23f78g479h89_0b56c257d67f34g358h45",
            Self::DutchDaisy => "0a12b135c23g78h579i89_0a45b246c56g45h468i56",
            Self::Domination => "0b1c12d123e46f789g89h9_0b6c67d5678f2345g34h4",
            Self::Alien => "0b34c35f56g468h58i579_0a135b25c246d45g57h67",
            Self::FaceAFace => "0c67d678e6789f789g89_0c12d123e1234f234g34",
            Self::Atomouche => "0a4b26d16e49f2g5h79i5_0a5b13c5d8e16f49h48i6",
        }
    }

    /// The starting position.
    #[must_use]
    #[expect(clippy::expect_used, reason = "the strings are constants, and a test reads every one of them")]
    pub fn position(self) -> Position {
        let setup = posref::read(self.posref(), Side::First).expect("a constant posRef");
        setup.layout().expect("a constant layout")
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A layout that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no layout {name:?}; the layouts are {}", names())]
pub struct UnknownLayout {
    /// The name that was asked for.
    pub name: String,
}

fn names() -> String {
    Layout::ALL.map(Layout::name).join(", ")
}

impl FromStr for Layout {
    type Err = UnknownLayout;

    /// Reads a name. Case does not matter, nor do spaces and signs between words, nor the word "daisy".
    fn from_str(name: &str) -> Result<Self, UnknownLayout> {
        let plain = |name: &str| -> String {
            let letters = name.chars().filter(|letter| letter.is_alphanumeric());
            let letters: String =
                letters.flat_map(char::to_lowercase).map(|c| if c == 'à' { 'a' } else { c }).collect();
            letters.trim_end_matches("daisy").to_owned()
        };
        let wanted = plain(name);
        let found = Self::ALL.into_iter().find(|layout| plain(layout.name()) == wanted);
        found.ok_or_else(|| UnknownLayout { name: name.to_owned() })
    }
}
