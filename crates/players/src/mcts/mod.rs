//! The agent `mcts`, the same for every game.

mod keys;
mod settings;

use afterstate_game::Evaluation;
use afterstate_search::mcts::{Mcts, Settings};

use crate::evaluated::{Evaluated, WithEvaluation, with_evaluation};
use crate::key::{Arguments, Key};
use crate::{AgentKind, BoxedPlayer, SpecError};

pub(crate) use keys::keys;

/// The agent `mcts` with a game's own keys.
pub(crate) const fn agent<P: Evaluated>(keys: &'static [Key]) -> AgentKind<P> {
    AgentKind {
        name: "mcts",
        summary: "grows a tree by sampling; every variant of the literature by its settings",
        keys,
        build: |arguments| with_evaluation(arguments, Build { arguments, settings: settings::read(arguments)? })?,
    }
}

struct Build<'a> {
    arguments: &'a Arguments,
    settings: Settings,
}

impl<P: Evaluated> WithEvaluation<P> for Build<'_> {
    type Output = Result<BoxedPlayer<P>, SpecError>;

    fn with<E: Evaluation<P> + Clone + 'static>(self, evaluation: E) -> Self::Output {
        let order = P::ordering(self.arguments.choice("order")?, evaluation.clone());
        let player = Mcts::with_ordering(self.settings, evaluation, order);
        Ok(Box::new(player.map_err(|error| self.arguments.unsuitable(error.to_string()))?))
    }
}
