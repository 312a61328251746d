//! Which stage of a network resembles which: a stage that began as a copy of another one is still much like it, and a file need
//! hold only how the two differ.

use super::network::Network;
use super::weights::PAGE;
use crate::parallel::map_all;

/// One page in so many is compared.
const SAMPLED: usize = 67;
/// Differences of less than this many points hardly take room.
const SMALL: f32 = 16.0;

/// For every stage the earlier one of the same tuples that it resembles most, if any is nearer to it than zeros are. Only the
/// weights that are `wanted` count.
pub(super) fn bases(network: &Network, wanted: impl Fn(usize) -> bool + Sync) -> Vec<Option<usize>> {
    let design = network.design();
    let places = network.places();
    // A page that two tables share cannot be taken over from another stage.
    if design.shapes().iter().any(|shape| shape.weights() % PAGE != 0) {
        return vec![None; design.stage_count()];
    }
    map_all(design.stage_count(), |stage| {
        let sampled = places.of(stage).step_by(PAGE * SAMPLED).flat_map(|page| page..page + PAGE);
        let compared: Vec<usize> = sampled.filter(|&place| wanted(place)).collect();
        let room = |base: Option<usize>| -> f64 {
            let weight = |place: usize| network.values.get(place);
            let resembled = |place| base.and_then(|base| places.counterpart(place, base)).map_or(0.0, weight);
            let difference = |&place: &usize| weight(place) - resembled(place);
            compared.iter().map(difference).map(|difference| f64::from((1.0 + difference.abs() / SMALL).log2())).sum()
        };
        let alike = |base: &usize| places.is_wide(*base) == places.is_wide(stage);
        let candidates = (0..stage).filter(alike).map(|base| (Some(base), room(Some(base))));
        let nearest = candidates.min_by(|(_, a), (_, b)| a.total_cmp(b));
        nearest.filter(|(_, bits)| *bits < room(None)).and_then(|(base, _)| base)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::Design;

    #[test]
    fn a_stage_resembles_the_one_it_was_copied_from() {
        let design = Design::new("x", &["a1 b1 c1 d1"], &[100, 200, 300]).unwrap();
        let network = Network::new(&design, 0.0).unwrap();
        let mut dice = afterstate_game::Dice::seeded(1);
        let mut random = |spread: f64| (spread * (dice.unit() - 0.5)) as f32;
        for place in network.places().of(0) {
            let weights = [random(9000.0), random(9000.0)];
            let set = |stage: usize, weight| network.values.set(network.places().begin(stage) + place, weight);
            set(0, weights[0]);
            set(1, weights[1]);
            set(2, weights[0] + random(50.0));
            set(3, weights[1] + random(50.0));
        }
        assert_eq!(bases(&network, |_| true), [None, None, Some(0), Some(1)]);
        assert_eq!(bases(&network, |_| false), [None; 4]);
        let small = Design::new("x", &["a1"], &[100]).unwrap();
        assert_eq!(bases(&Network::new(&small, 5.0).unwrap(), |_| true), [None; 2]);
    }
}
