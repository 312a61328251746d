//! Figures as SVG.

use std::fmt::Write as _;

use super::canvas::{Anchor, Canvas, Ink, Lettering, Pen, Place};
use super::layout::{HEIGHT, WIDTH};

/// An SVG file in the making.
#[derive(Debug)]
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    pub(crate) fn new(title: &str) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            escaped(title)
        );
        Self { text }
    }

    pub(crate) fn finish(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }
}

/// Text as the content of an XML or HTML element or attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn colour(Ink(red, green, blue): Ink) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn list(places: &[Place]) -> String {
    places.iter().map(|place| format!("{:.1},{:.1}", place.x, place.y)).collect::<Vec<_>>().join(" ")
}

impl Canvas for Svg {
    fn line(&mut self, places: &[Place], pen: Pen) {
        let dashes = pen.dashes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let dashes = if dashes.is_empty() { dashes } else { format!(" stroke-dasharray=\"{dashes}\"") };
        let (points, colour, width) = (list(places), colour(pen.ink), pen.width);
        let _ = writeln!(
            self.text,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"
        );
    }

    fn fill(&mut self, corners: &[Place], ink: Ink) {
        let _ = writeln!(self.text, "<polygon points=\"{}\" fill=\"{}\"/>", list(corners), colour(ink));
    }

    fn text(&mut self, text: &str, at: Place, lettering: Lettering) {
        let anchor = match lettering.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn = match lettering.turn {
            0.0 => String::new(),
            turn => format!(" transform=\"rotate({:.0} {:.1} {:.1})\"", -turn, at.x, at.y),
        };
        let _ = writeln!(
            self.text,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\"{turn}>{}</text>",
            at.x,
            at.y,
            lettering.size,
            colour(lettering.ink),
            escaped(text)
        );
    }
}
