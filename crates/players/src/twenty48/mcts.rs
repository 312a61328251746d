//! The agent `mcts` of 2048.

use afterstate_game::Evaluation;
use afterstate_search::mcts::{ByEvaluation, Mcts, MoveOrdering, Settings, Unordered};
use afterstate_twenty48::State;

use super::evaluations::{WithEvaluation, with_evaluation};
use crate::key::Arguments;
use crate::{AgentKind, BoxedPlayer, SpecError, mcts};

pub(super) const AGENT: AgentKind<State> = AgentKind {
    name: "mcts",
    summary: "grows a tree by sampling; every variant of the literature by its settings",
    keys: &mcts::keys("empty", "raw", &["none", "evaluation"]),
    build,
};

struct Build<'a> {
    arguments: &'a Arguments,
    settings: Settings,
}

impl WithEvaluation for Build<'_> {
    type Output = Result<BoxedPlayer<State>, SpecError>;

    fn with<E: Evaluation<State> + Clone + 'static>(self, evaluation: E) -> Self::Output {
        let order: Box<dyn MoveOrdering<State>> = match self.arguments.choice("order")? {
            "evaluation" => Box::new(ByEvaluation(evaluation.clone())),
            _ => Box::new(Unordered),
        };
        let player = Mcts::with_ordering(self.settings, evaluation, order);
        Ok(Box::new(player.map_err(|error| self.arguments.unsuitable(error.to_string()))?))
    }
}

fn build(arguments: &Arguments) -> Result<BoxedPlayer<State>, SpecError> {
    with_evaluation(arguments, Build { arguments, settings: mcts::settings(arguments)? })?
}
