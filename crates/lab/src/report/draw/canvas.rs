//! What a figure is drawn on. Coordinates are in points, from the top left corner.

/// A place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Ink {
    pub(crate) const BLACK: Self = Self(0, 0, 0);
    pub(crate) const GREY: Self = Self(110, 110, 110);
    pub(crate) const FAINT: Self = Self(225, 225, 225);
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pen {
    pub(crate) ink: Ink,
    pub(crate) width: f64,
    /// Lengths of dashes and gaps; empty for a line without gaps.
    pub(crate) dashes: &'static [f64],
}

impl Pen {
    pub(crate) const fn solid(ink: Ink, width: f64) -> Self {
        Self { ink, width, dashes: &[] }
    }
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lettering {
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    pub(crate) ink: Ink,
    /// Degrees against the clock.
    pub(crate) turn: f64,
}

/// Something to draw on.
pub(crate) trait Canvas {
    /// A line through places.
    fn line(&mut self, places: &[Place], pen: Pen);
    /// A filled polygon.
    fn fill(&mut self, corners: &[Place], ink: Ink);
    /// A text on one line.
    fn text(&mut self, text: &str, at: Place, lettering: Lettering);
}

/// The width of a text in Helvetica of size 1. Adobe's metrics, rounded to classes of letters: exact for figures, which is
/// what axes consist of.
pub(crate) fn text_width(text: &str) -> f64 {
    let letter = |character: char| match character {
        'i' | 'j' | 'l' | '\'' | '|' => 0.222,
        ' ' | 'f' | 't' | 'I' | '.' | ',' | ':' | ';' | '!' | '/' | '[' | ']' => 0.278,
        'r' | '(' | ')' | '-' => 0.333,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | 'J' => 0.5,
        'm' | 'M' => 0.833,
        'w' | 'C' | 'D' | 'H' | 'N' | 'R' | 'U' => 0.722,
        'A' | 'B' | 'E' | 'K' | 'P' | 'S' | 'V' | 'X' | 'Y' => 0.667,
        'F' | 'T' | 'Z' => 0.611,
        'G' | 'O' | 'Q' => 0.778,
        'W' => 0.944,
        '%' => 0.889,
        _ => 0.556,
    };
    text.chars().map(letter).sum()
}
