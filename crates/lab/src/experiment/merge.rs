//! Results of the same experiment from elsewhere: another machine, or another part of the games.

use std::collections::BTreeSet;

use super::{Mixing, Plan, SeriesKind};
use crate::store::{Merged, Store, StoreError};
use crate::{DecisionResult, DuelResult, LabError, SoloResult};

impl Plan {
    /// Takes over the games of this plan that another store has, each with the run that played it. What is known already stays
    /// as it is; other games of that store are left out.
    pub fn merge(&self, store: &mut Store, other: &Store, mixing: Mixing) -> Result<Merged, LabError> {
        if mixing == Mixing::Refused {
            self.check_programs(store, other)?;
        }
        let mut merged = Merged::default();
        // Rows that ask for the same games share them.
        for definition in BTreeSet::from_iter(self.definitions()) {
            merged += self.take(store, other, &definition)?;
        }
        Ok(merged)
    }

    fn take(&self, store: &mut Store, other: &Store, definition: &str) -> Result<Merged, StoreError> {
        match self.games.kind() {
            SeriesKind::Solo => store.take::<SoloResult>(other, definition),
            SeriesKind::Duel => store.take::<DuelResult>(other, definition),
            SeriesKind::Decision => store.take::<DecisionResult>(other, definition),
        }
    }

    fn check_programs(&self, store: &Store, other: &Store) -> Result<(), LabError> {
        let (here, there) = (self.sessions(store)?, self.sessions(other)?);
        let mixed = here.iter().find_map(|here| {
            let there = there.iter().find(|there| !there.provenance.same_program(&here.provenance))?;
            Some(LabError::MergedPrograms { here: here.provenance.version(), there: there.provenance.version() })
        });
        mixed.map_or(Ok(()), Err)
    }
}
