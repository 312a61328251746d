//! The agent `mcts` of Abalone.

use afterstate_abalone::Position;
use afterstate_game::Evaluation;
use afterstate_search::mcts::{ByClass, ByEvaluation, Mcts, MoveOrdering, Settings, Unordered};

use super::evaluations::{WithEvaluation, with_evaluation};
use crate::key::Arguments;
use crate::{AgentKind, BoxedPlayer, SpecError, mcts};

pub(super) const AGENT: AgentKind<Position> = AgentKind {
    name: "mcts",
    summary: "grows a tree by sampling; every variant of the literature by its settings",
    keys: &mcts::keys("hauff", "linear(half-range=6000)", &["none", "classes", "evaluation"]),
    build,
};

struct Build<'a> {
    arguments: &'a Arguments,
    settings: Settings,
}

impl WithEvaluation for Build<'_> {
    type Output = Result<BoxedPlayer<Position>, SpecError>;

    fn with<E: Evaluation<Position> + Clone + 'static>(self, evaluation: E) -> Self::Output {
        let order: Box<dyn MoveOrdering<Position>> = match self.arguments.choice("order")? {
            "classes" => Box::new(ByClass),
            "evaluation" => Box::new(ByEvaluation(evaluation.clone())),
            _ => Box::new(Unordered),
        };
        let player = Mcts::with_ordering(self.settings, evaluation, order);
        Ok(Box::new(player.map_err(|error| self.arguments.unsuitable(error.to_string()))?))
    }
}

fn build(arguments: &Arguments) -> Result<BoxedPlayer<Position>, SpecError> {
    with_evaluation(arguments, Build { arguments, settings: mcts::settings(arguments)? })?
}
