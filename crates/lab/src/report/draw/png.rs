//! Figures as PNG, for pages and slides that take nothing better: three pixels to a point, with a font of its own.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};
use ttf_parser::{Face, OutlineBuilder};

use super::canvas::{Anchor, Canvas, Ink, Lettering, Pen, Place};
use super::layout::{HEIGHT, WIDTH};

/// Pixels to a point: 216 to the inch.
const SCALE: f32 = 3.0;
const FONT: &[u8] = include_bytes!("font/DejaVuSans-latin.ttf");
/// The font is wider than Helvetica, for which figures are laid out.
const LETTER_SIZE: f64 = 0.88;

/// A PNG file in the making.
pub(crate) struct Png {
    /// None only if there is no memory for it.
    pixels: Option<Pixmap>,
    font: Option<Face<'static>>,
}

impl Png {
    pub(crate) fn new() -> Self {
        let mut pixels = Pixmap::new((WIDTH as f32 * SCALE) as u32, (HEIGHT as f32 * SCALE) as u32);
        if let Some(pixels) = &mut pixels {
            pixels.fill(Color::WHITE);
        }
        Self { pixels, font: Face::parse(FONT, 0).ok() }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.pixels.and_then(|pixels| pixels.encode_png().ok()).unwrap_or_default()
    }

    fn fill_path(&mut self, path: Option<Path>, ink: Ink, transform: Transform) {
        if let (Some(pixels), Some(path)) = (&mut self.pixels, path) {
            pixels.fill_path(&path, &paint(ink), FillRule::Winding, transform, None);
        }
    }
}

fn paint(Ink(red, green, blue): Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn polyline(places: &[Place]) -> PathBuilder {
    let mut path = PathBuilder::new();
    for (index, place) in places.iter().enumerate() {
        let (x, y) = (place.x as f32, place.y as f32);
        if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path
}

fn scaled() -> Transform {
    Transform::from_scale(SCALE, SCALE)
}

impl Canvas for Png {
    fn line(&mut self, places: &[Place], pen: Pen) {
        let dash = StrokeDash::new(pen.dashes.iter().map(|&length| length as f32).collect(), 0.0);
        let stroke = Stroke {
            width: pen.width as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            dash,
            ..Stroke::default()
        };
        if let (Some(pixels), Some(path)) = (&mut self.pixels, polyline(places).finish()) {
            pixels.stroke_path(&path, &paint(pen.ink), &stroke, scaled(), None);
        }
    }

    fn fill(&mut self, corners: &[Place], ink: Ink) {
        let mut path = polyline(corners);
        path.close();
        self.fill_path(path.finish(), ink, scaled());
    }

    fn text(&mut self, text: &str, at: Place, lettering: Lettering) {
        let Some(font) = &self.font else { return };
        let mut pen = GlyphPen { path: PathBuilder::new(), x: 0.0 };
        for character in text.chars() {
            let Some(glyph) = font.glyph_index(character).or_else(|| font.glyph_index('?')) else { continue };
            font.outline_glyph(glyph, &mut pen);
            pen.x += f32::from(font.glyph_hor_advance(glyph).unwrap_or(0));
        }
        let back = match lettering.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => pen.x / 2.0,
            Anchor::End => pen.x,
        };
        let size = (lettering.size * LETTER_SIZE) as f32 / f32::from(font.units_per_em());
        let transform = Transform::from_translate(-back, 0.0)
            .post_scale(size, size)
            .post_rotate(-lettering.turn as f32)
            .post_translate(at.x as f32, at.y as f32)
            .post_scale(SCALE, SCALE);
        let path = pen.path.finish();
        self.fill_path(path, lettering.ink, transform);
    }
}

/// Writes the outlines of glyphs one after the other, upright: fonts count upwards, pictures downwards.
struct GlyphPen {
    path: PathBuilder,
    x: f32,
}

impl OutlineBuilder for GlyphPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, -y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, -y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + x1, -y1, self.x + x, -y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + x1, -y1, self.x + x2, -y2, self.x + x, -y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
