//! Tables that are computed once for everybody who judges by the same weights.
//!
//! A player is built for every thread of a run and every question to a server, and computing the tables costs more than
//! a shallow search.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::{ByLines, Tabled};

/// The latest evaluations, most recent first; each has some hundred kilobytes of tables.
static LATEST: Mutex<VecDeque<Box<dyn Any + Send>>> = Mutex::new(VecDeque::new());
const KEPT: usize = 16;

impl<E: ByLines + Clone + PartialEq> Tabled<E> {
    /// [`Self::new`], with the tables of an equal evaluation if there was one lately.
    #[must_use]
    pub fn shared(evaluation: E) -> Self {
        let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        let is_equal = |known: &Box<dyn Any + Send>| {
            known.downcast_ref::<Self>().is_some_and(|known| *known.evaluation() == evaluation)
        };
        let known = latest.iter().position(is_equal).and_then(|place| latest.remove(place));
        let tabled = known.and_then(|known| known.downcast::<Self>().ok());
        let tabled = tabled.map_or_else(|| Self::new(evaluation), |known| *known);
        latest.truncate(KEPT - 1);
        latest.push_front(Box::new(tabled.clone()));
        tabled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Xiao, ZhawMatrix};

    #[test]
    fn equal_weights_share_their_tables_and_others_do_not() {
        let xiao = |empty| Tabled::shared(Xiao { empty, ..Xiao::default() });
        let (first, other, again) = (xiao(270.0), xiao(271.0), xiao(270.0));
        assert!(first.shares_tables_with(&again));
        assert!(!first.shares_tables_with(&other));
        for weight in 0..2 * KEPT {
            let _ = Tabled::shared(ZhawMatrix { weights: [[weight as f32; 4]; 4] });
        }
        assert!(!first.shares_tables_with(&xiao(270.0)), "what is not asked for is forgotten");
        assert!(LATEST.lock().unwrap().len() <= KEPT);
    }
}
