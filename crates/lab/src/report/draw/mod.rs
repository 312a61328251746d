//! Figures as values, and drawing them: one layout, any [`Canvas`].
//!
//! Colours are those of Okabe and Ito, told apart by colour-blind people; lines differ in their dashes and marks as well,
//! so that a figure can be read in black and white.

mod axis;
mod canvas;
mod layout;
mod pdf;
mod png;
mod svg;

use serde::Serialize;

use crate::experiment::Unit;
use crate::stats::Interval;

pub(crate) use layout::draw;
pub(crate) use pdf::Pdf;
pub(crate) use png::Png;
pub(crate) use svg::{Svg, escaped};

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Its caption.
    pub title: String,
    /// The label of the horizontal axis, with the unit.
    pub x_label: String,
    /// The label of the vertical axis, with the unit.
    pub y_label: String,
    /// Whether the vertical axis is logarithmic.
    pub log: bool,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// What is shown.
    pub content: Content,
}

/// What a figure shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// A bar for each series.
    Bars(Vec<Bar>),
    /// Lines over a common axis.
    Lines(Vec<Line>),
}

/// A bar with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// Its height; none if nothing was measured.
    pub value: Option<f64>,
    /// The 95% interval.
    pub interval: Option<Interval>,
    /// What was published.
    pub published: Option<f64>,
    /// What the height counts.
    pub unit: Unit,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Its name in the legend; empty where it needs none.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
    /// Whether the points are marked; long courses are better without.
    pub marked: bool,
}

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// The 95% interval of the height.
    pub interval: Option<Interval>,
}

impl Figure {
    /// The figure as an SVG file.
    #[must_use]
    pub fn to_svg(&self, origin: &str) -> String {
        let mut svg = Svg::new(&self.title);
        draw(self, origin, &mut svg);
        svg.finish()
    }

    /// The figure as a PNG file, for pages and slides.
    #[must_use]
    pub fn to_png(&self, origin: &str) -> Vec<u8> {
        let mut png = Png::new();
        draw(self, origin, &mut png);
        png.finish()
    }

    /// The figure as a PDF file of its own size, for LaTeX.
    #[must_use]
    pub fn to_pdf(&self, origin: &str) -> Vec<u8> {
        let mut pdf = Pdf::new();
        draw(self, origin, &mut pdf);
        pdf.finish()
    }
}
