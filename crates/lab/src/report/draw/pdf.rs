//! Figures as PDF: one page of the figure's size, lines and Helvetica, which every reader has.

use std::fmt::Write as _;

use super::canvas::{Anchor, Canvas, Ink, Lettering, Pen, Place, text_width};
use super::layout::{HEIGHT, WIDTH};

/// A PDF file in the making.
#[derive(Debug)]
pub(crate) struct Pdf {
    page: String,
}

impl Pdf {
    pub(crate) fn new() -> Self {
        Self { page: String::new() }
    }

    /// The file: catalogue, page tree, page, font, content, and where each of them stands.
    pub(crate) fn finish(self) -> Vec<u8> {
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] \
                 /Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R >>"
            ),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
            format!("<< /Length {} >>\nstream\n{}endstream", self.page.len(), self.page),
        ];
        let mut file = String::from("%PDF-1.4\n");
        let mut places = Vec::new();
        for (number, object) in (1..).zip(&objects) {
            places.push(file.len());
            let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
        }
        let table = file.len();
        let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
        for place in places {
            let _ = writeln!(file, "{place:010} 00000 n ");
        }
        let size = objects.len() + 1;
        let _ = write!(file, "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n");
        file.into_bytes()
    }

    fn path(&mut self, places: &[Place]) {
        for (index, place) in places.iter().enumerate() {
            let operator = if index == 0 { "m" } else { "l" };
            let _ = writeln!(self.page, "{:.2} {:.2} {operator}", place.x, HEIGHT - place.y);
        }
    }
}

fn colour(Ink(red, green, blue): Ink) -> String {
    [red, green, blue].map(|part| format!("{:.3}", f64::from(part) / 255.0)).join(" ")
}

/// A text in the encoding of the font, as a PDF string. What the font lacks becomes a question mark.
fn string(text: &str) -> String {
    let mut string = String::from("(");
    for character in text.chars() {
        match character {
            '(' | ')' | '\\' => {
                string.push('\\');
                string.push(character);
            }
            ' '..='~' => string.push(character),
            '\u{a0}'..='\u{ff}' => {
                let _ = write!(string, "\\{:03o}", u32::from(character));
            }
            _ => string.push('?'),
        }
    }
    string.push(')');
    string
}

impl Canvas for Pdf {
    fn line(&mut self, places: &[Place], pen: Pen) {
        let dashes = pen.dashes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.page, "{} RG {} w [{dashes}] 0 d", colour(pen.ink), pen.width);
        self.path(places);
        self.page += "S\n";
    }

    fn fill(&mut self, corners: &[Place], ink: Ink) {
        let _ = writeln!(self.page, "{} rg", colour(ink));
        self.path(corners);
        self.page += "f\n";
    }

    fn text(&mut self, text: &str, at: Place, lettering: Lettering) {
        let width = text_width(text) * lettering.size;
        let back = match lettering.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (sin, cos) = lettering.turn.to_radians().sin_cos();
        let (x, y) = (at.x - back * cos, HEIGHT - at.y - back * sin);
        let (ink, size, string) = (colour(lettering.ink), lettering.size, string(text));
        let _ = writeln!(
            self.page,
            "BT {ink} rg /F {size} Tf {cos:.4} {sin:.4} {:.4} {cos:.4} {x:.2} {y:.2} Tm {string} Tj ET",
            -sin
        );
    }
}
