//! The expected continuation, collected while the search returns.

/// For every level the best line below it. A level's line is its best move followed by the line of the next level.
#[derive(Clone, Debug)]
pub(super) struct Lines<M> {
    levels: Vec<Vec<M>>,
}

impl<M: Copy> Lines<M> {
    pub(super) fn new(levels: usize) -> Self {
        Self { levels: vec![Vec::new(); levels + 1] }
    }

    /// Nothing is expected at this level yet.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.levels[ply].clear();
    }

    /// `mv` is the best move of this level.
    pub(super) fn lead_with(&mut self, ply: usize, mv: M) {
        let (upper, lower) = self.levels.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// The line from the root.
    pub(super) fn root(&self) -> &[M] {
        &self.levels[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_move_and_the_line_below() {
        let mut lines = Lines::new(3);
        lines.lead_with(2, 'c');
        lines.lead_with(1, 'b');
        lines.lead_with(0, 'a');
        assert_eq!(lines.root(), ['a', 'b', 'c']);
        lines.clear(1);
        lines.lead_with(0, 'x');
        assert_eq!(lines.root(), ['x']);
    }
}
