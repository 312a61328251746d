//! Where everything stands in a figure.

use super::axis::{Axis, tick_text};
use super::canvas::{Anchor, Canvas, Ink, Lettering, Pen, Place, text_width};
use super::{Bar, Content, Figure, Line};
use crate::report::number::Style;

/// The size of every figure, in points: the width of a printed page's text.
pub(super) const WIDTH: f64 = 480.0;
pub(super) const HEIGHT: f64 = 320.0;

const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDTH - 16.0;
const TOP: f64 = 34.0;
/// Slanted names of bars need more room than numbers.
const BOTTOM_OF_BARS: f64 = HEIGHT - 92.0;
const BOTTOM_OF_LINES: f64 = HEIGHT - 62.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 12.0;
const LEGEND_SIZE: f64 = 8.5;

/// Okabe and Ito, "Color Universal Design" (2008), without yellow, which is too faint in print.
const INKS: [Ink; 7] = [
    Ink(0, 114, 178),
    Ink(213, 94, 0),
    Ink(0, 158, 115),
    Ink(204, 121, 167),
    Ink(86, 180, 233),
    Ink(230, 159, 0),
    Ink(0, 0, 0),
];
const DASHES: [&[f64]; 4] = [&[], &[6.0, 3.0], &[2.0, 2.0], &[8.0, 3.0, 2.0, 3.0]];

const fn lettering(size: f64, anchor: Anchor) -> Lettering {
    Lettering { size, anchor, ink: Ink::BLACK, turn: 0.0 }
}

/// Draws a figure with its origin in small print.
pub(crate) fn draw(figure: &Figure, origin: &str, canvas: &mut dyn Canvas) {
    let middle = f64::midpoint(LEFT, RIGHT);
    canvas.text(&figure.title, Place { x: middle, y: 18.0 }, lettering(12.0, Anchor::Middle));
    let bottom = match &figure.content {
        Content::Bars(bars) => {
            draw_bars(figure, bars, canvas);
            BOTTOM_OF_BARS
        }
        Content::Lines(lines) => {
            draw_lines(figure, lines, canvas);
            canvas.text(
                &figure.x_label,
                Place { x: middle, y: BOTTOM_OF_LINES + 30.0 },
                lettering(10.0, Anchor::Middle),
            );
            BOTTOM_OF_LINES
        }
    };
    let beside = Place { x: 14.0, y: f64::midpoint(TOP, bottom) };
    canvas.text(&figure.y_label, beside, Lettering { turn: 90.0, ..lettering(10.0, Anchor::Middle) });
    draw_origin(origin, canvas);
}

/// The origin in small print: on one line if it fits, on two otherwise.
fn draw_origin(origin: &str, canvas: &mut dyn Canvas) {
    let small = Lettering { ink: Ink::GREY, ..lettering(5.5, Anchor::Start) };
    let (first, second) = if text_width(origin) * small.size <= WIDTH - 12.0 {
        (origin, "")
    } else {
        origin.split_once(" | ").unwrap_or((origin, ""))
    };
    let below = if second.is_empty() { 0.0 } else { 7.0 };
    canvas.text(first, Place { x: 6.0, y: HEIGHT - 6.0 - below }, small);
    if !second.is_empty() {
        canvas.text(second, Place { x: 6.0, y: HEIGHT - 6.0 }, small);
    }
}

/// The vertical axis with its numbers and faint lines across.
fn draw_frame(axis: &Axis, top: f64, bottom: f64, canvas: &mut dyn Canvas) {
    for tick in axis.ticks() {
        let y = axis.place(tick);
        canvas.line(&[Place { x: LEFT, y }, Place { x: RIGHT, y }], Pen::solid(Ink::FAINT, 0.6));
        canvas.text(&tick_text(tick), Place { x: LEFT - 5.0, y: y + 3.0 }, lettering(9.0, Anchor::End));
    }
    let corner = [Place { x: LEFT, y: top }, Place { x: LEFT, y: bottom }, Place { x: RIGHT, y: bottom }];
    canvas.line(&corner, Pen::solid(Ink::BLACK, 0.8));
}

/// Values are written over bars as long as they can be read there.
const MOST_LABELLED_BARS: usize = 8;

fn draw_bars(figure: &Figure, bars: &[Bar], canvas: &mut dyn Canvas) {
    let heights = bars.iter().flat_map(|bar| {
        let ends = bar.interval.map(|interval| [interval.low, interval.high]);
        [bar.value, bar.published].into_iter().flatten().chain(ends.into_iter().flatten())
    });
    // Room for the figures above the highest bar.
    let top = TOP + 10.0;
    let axis = Axis::new(heights, true, figure.log, BOTTOM_OF_BARS, top);
    draw_frame(&axis, top, BOTTOM_OF_BARS, canvas);
    let room = (RIGHT - LEFT) / bars.len().max(1) as f64;
    let half = (room * 0.34).min(26.0);
    for (index, bar) in bars.iter().enumerate() {
        let x = LEFT + room * (index as f64 + 0.5);
        draw_bar(bar, x, half, &axis, bars.len() <= MOST_LABELLED_BARS, canvas);
        let below = Place { x: x + 3.0, y: BOTTOM_OF_BARS + 11.0 };
        canvas.text(&shortened(&bar.label), below, Lettering { turn: 30.0, ..lettering(8.5, Anchor::End) });
    }
    if bars.iter().any(|bar| bar.published.is_some()) {
        let at = Place { x: RIGHT, y: TOP - 4.0 };
        canvas.text("dashed: published", at, Lettering { ink: INKS[1], ..lettering(8.5, Anchor::End) });
    }
}

fn draw_bar(bar: &Bar, x: f64, half: f64, axis: &Axis, labelled: bool, canvas: &mut dyn Canvas) {
    if let Some(value) = bar.value {
        let (top, base) = (axis.place(value), axis.place(0.0));
        let corners = [(x - half, base), (x - half, top), (x + half, top), (x + half, base)];
        canvas.fill(&corners.map(|(x, y)| Place { x, y }), INKS[0]);
    }
    let ends = bar.interval.map(|interval| [interval.low, interval.high]);
    draw_whisker(x, ends, axis, canvas);
    if let Some(published) = bar.published {
        let y = axis.place(published);
        let across = [Place { x: x - half - 4.0, y }, Place { x: x + half + 4.0, y }];
        canvas.line(&across, Pen { ink: INKS[1], width: 2.0, dashes: DASHES[1] });
    }
    if let Some(value) = bar.value.filter(|_| labelled) {
        let highest = ends.map_or(value, |[_, high]| high).max(value).max(bar.published.unwrap_or(value)).max(0.0);
        let above = Place { x, y: axis.place(highest) - 4.0 };
        canvas.text(&Style::PLAIN.value(value, bar.unit), above, lettering(LEGEND_SIZE, Anchor::Middle));
    }
}

fn draw_whisker(x: f64, ends: Option<[f64; 2]>, axis: &Axis, canvas: &mut dyn Canvas) {
    let Some(ends) = ends else { return };
    let [low, high] = ends.map(|end| axis.place(end));
    let pen = Pen::solid(Ink::BLACK, 1.0);
    canvas.line(&[Place { x, y: low }, Place { x, y: high }], pen);
    for y in [low, high] {
        canvas.line(&[Place { x: x - 3.0, y }, Place { x: x + 3.0, y }], pen);
    }
}

fn draw_lines(figure: &Figure, lines: &[Line], canvas: &mut dyn Canvas) {
    let (places, legend_height) = legend(lines);
    let top = TOP + legend_height;
    let points = || lines.iter().flat_map(|line| &line.points);
    let heights = points().flat_map(|point| {
        let ends = point.interval.map(|interval| [interval.low, interval.high]);
        std::iter::once(point.y).chain(ends.into_iter().flatten())
    });
    let vertical = Axis::new(heights, true, figure.log, BOTTOM_OF_LINES, top);
    let across = Axis::new(points().map(|point| point.x), false, figure.log_x, LEFT + 8.0, RIGHT - 8.0);
    draw_frame(&vertical, top, BOTTOM_OF_LINES, canvas);
    for tick in across.ticks() {
        let x = across.place(tick);
        let mark = [Place { x, y: BOTTOM_OF_LINES }, Place { x, y: BOTTOM_OF_LINES + 4.0 }];
        canvas.line(&mark, Pen::solid(Ink::BLACK, 0.8));
        canvas.text(&tick_text(tick), Place { x, y: BOTTOM_OF_LINES + 14.0 }, lettering(9.0, Anchor::Middle));
    }
    for (index, (line, at)) in lines.iter().zip(places).enumerate() {
        draw_line(line, index, &across, &vertical, canvas);
        if let Some(at) = at {
            draw_legend(line, index, at, canvas);
        }
    }
}

/// Where the names of the lines stand: under the title, as many side by side as fit; a line without a name needs no place.
/// Gives the height they need.
fn legend(lines: &[Line]) -> (Vec<Option<Place>>, f64) {
    let mut at = Place { x: LEFT, y: TOP };
    let mut place = |line: &Line| {
        // A little more than the letters need: pages are shown in fonts that are wider than Helvetica.
        let width = 34.0 + 1.12 * text_width(&shortened(&line.name)) * LEGEND_SIZE;
        if at.x + width > RIGHT + 10.0 && at.x > LEFT {
            at = Place { x: LEFT, y: at.y + LEGEND_LINE };
        }
        let here = at;
        at.x += width + 6.0;
        here
    };
    let places: Vec<Option<Place>> = lines.iter().map(|line| (!line.name.is_empty()).then(|| place(line))).collect();
    let last = places.iter().flatten().last();
    let height = last.map_or(0.0, |last| last.y - TOP + LEGEND_LINE);
    (places, height)
}

fn draw_legend(line: &Line, index: usize, Place { x, y }: Place, canvas: &mut dyn Canvas) {
    canvas.line(&[Place { x, y: y - 3.0 }, Place { x: x + 24.0, y: y - 3.0 }], pen(index));
    if line.marked {
        canvas.fill(&mark(Place { x: x + 12.0, y: y - 3.0 }, index), pen(index).ink);
    }
    canvas.text(&shortened(&line.name), Place { x: x + 29.0, y }, lettering(LEGEND_SIZE, Anchor::Start));
}

fn pen(index: usize) -> Pen {
    Pen { ink: INKS[index % INKS.len()], width: 1.5, dashes: DASHES[index % DASHES.len()] }
}

fn draw_line(line: &Line, index: usize, across: &Axis, vertical: &Axis, canvas: &mut dyn Canvas) {
    let place = |x: f64, y: f64| Place { x: across.place(x), y: vertical.place(y) };
    let places: Vec<Place> = line.points.iter().map(|point| place(point.x, point.y)).collect();
    canvas.line(&places, pen(index));
    for (point, at) in line.points.iter().zip(&places).filter(|_| line.marked) {
        draw_whisker(at.x, point.interval.map(|interval| [interval.low, interval.high]), vertical, canvas);
        canvas.fill(&mark(*at, index), pen(index).ink);
    }
}

/// A square, diamond or triangle, so that lines are told apart without colour.
fn mark(at: Place, index: usize) -> Vec<Place> {
    const SHAPES: [&[(f64, f64)]; 3] = [
        &[(-2.5, -2.5), (2.5, -2.5), (2.5, 2.5), (-2.5, 2.5)],
        &[(0.0, -3.5), (3.5, 0.0), (0.0, 3.5), (-3.5, 0.0)],
        &[(0.0, -3.5), (3.3, 2.8), (-3.3, 2.8)],
    ];
    SHAPES[index % SHAPES.len()].iter().map(|(x, y)| Place { x: at.x + x, y: at.y + y }).collect()
}

/// A name that fits under a bar or into a legend.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 28;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_with_a_name_stand_in_the_legend() {
        let line = |name: &str| Line { name: name.to_owned(), points: Vec::new(), marked: false };
        assert_eq!(legend(&[line("")]), (vec![None], 0.0));
        let (places, height) = legend(&[line("first"), line(""), line("second")]);
        assert!(
            matches!(places.as_slice(), [Some(first), None, Some(second)] if first.x < second.x && first.y == second.y)
        );
        assert_eq!(height, LEGEND_LINE);
        let many: Vec<Line> = (0..8).map(|_| line("a name of some length")).collect();
        assert!(legend(&many).1 > LEGEND_LINE);
    }
}
