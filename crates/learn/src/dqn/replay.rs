//! The memory: moves that were played, drawn again to learn from.

use afterstate_game::Dice;
use afterstate_twenty48::Board;

/// What is remembered of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Memory {
    /// The board that is judged: before the slide, or after it.
    pub(super) from: Board,
    /// The slide that was played.
    pub(super) slide: u8,
    /// The points that were seen since, in units of the network.
    pub(super) points: f32,
    /// The board from which on the network is asked.
    pub(super) to: Board,
    /// How much its answer counts: 0 where the game was over.
    pub(super) discount: f32,
}

/// A ring of memories: the oldest makes room. With a priority for each, drawn by a tree of sums.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    pub(super) memories: Vec<Memory>,
    pub(super) capacity: usize,
    /// How many were ever added.
    pub(super) added: u64,
    pub(super) priorities: Option<Priorities>,
}

impl Replay {
    pub(super) fn new(capacity: usize, prioritised: bool) -> Self {
        let priorities = prioritised.then(|| Priorities::new(capacity));
        Self { memories: Vec::new(), capacity, added: 0, priorities }
    }

    pub(super) fn len(&self) -> usize {
        self.memories.len()
    }

    /// Remembers a move. It is as surprising as the most surprising one, so that it is learned from at least once.
    pub(super) fn push(&mut self, memory: Memory) {
        let place = (self.added % self.capacity as u64) as usize;
        if place < self.memories.len() {
            self.memories[place] = memory;
        } else {
            self.memories.push(memory);
        }
        self.added += 1;
        if let Some(priorities) = &mut self.priorities {
            priorities.set(place, priorities.highest);
        }
    }

    /// Draws the place of a memory and how likely it was, as a multiple of an even chance.
    pub(super) fn draw(&self, dice: &mut Dice) -> (usize, f32) {
        let count = self.memories.len();
        match &self.priorities {
            Some(priorities) if priorities.total() > 0.0 => {
                let place = priorities.find(dice.unit() * priorities.total()).min(count - 1);
                (place, (priorities.get(place) / priorities.total() * count as f64) as f32)
            }
            _ => (dice.below(count as u32) as usize, 1.0),
        }
    }
}

/// Sums over pairs, pairs of pairs and so on: drawing and changing take as many steps as the memory has doublings.
#[derive(Clone, Debug)]
pub(super) struct Priorities {
    /// The root is 1; the leaves are the second half.
    sums: Vec<f64>,
    pub(super) highest: f64,
}

impl Priorities {
    fn new(capacity: usize) -> Self {
        Self { sums: vec![0.0; 2 * capacity.next_power_of_two()], highest: 1.0 }
    }

    fn leaves(&self) -> usize {
        self.sums.len() / 2
    }

    fn total(&self) -> f64 {
        self.sums[1]
    }

    pub(super) fn get(&self, place: usize) -> f64 {
        self.sums[self.leaves() + place]
    }

    pub(super) fn set(&mut self, place: usize, priority: f64) {
        self.highest = self.highest.max(priority);
        let mut node = self.leaves() + place;
        self.sums[node] = priority;
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }

    /// The leaf in which this part of the total lies.
    fn find(&self, mut part: f64) -> usize {
        let mut node = 1;
        while node < self.leaves() {
            node *= 2;
            // Rounding may leave a part beyond the last leaf that counts: then the left one is taken.
            if part >= self.sums[node] && self.sums[node + 1] > 0.0 {
                part -= self.sums[node];
                node += 1;
            }
        }
        node - self.leaves()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(number: u64) -> Memory {
        Memory { from: Board::from_nibbles(number), slide: 0, points: 0.0, to: Board::from_nibbles(0), discount: 1.0 }
    }

    #[test]
    fn the_oldest_makes_room() {
        let mut replay = Replay::new(3, false);
        (0..5).for_each(|number| replay.push(memory(number)));
        let kept: Vec<u64> = replay.memories.iter().map(|memory| memory.from.nibbles()).collect();
        assert_eq!((kept, replay.added), (vec![3, 4, 2], 5));
    }

    #[test]
    fn memories_are_drawn_by_their_priority() {
        let mut replay = Replay::new(5, true);
        (0..5).for_each(|number| replay.push(memory(number)));
        for (place, priority) in [1.0, 0.0, 2.0, 0.0, 1.0].into_iter().enumerate() {
            replay.priorities.as_mut().unwrap().set(place, priority);
        }
        let mut dice = Dice::seeded(2);
        let mut drawn = [0; 5];
        for _ in 0..4000 {
            let (place, likely) = replay.draw(&mut dice);
            drawn[place] += 1;
            assert!((likely - [1.25, 0.0, 2.5, 0.0, 1.25][place]).abs() < 1e-6);
        }
        assert!(drawn[1] == 0 && drawn[3] == 0 && (1850..2150).contains(&drawn[2]), "{drawn:?}");
    }
}
