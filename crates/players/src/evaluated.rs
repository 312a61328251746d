//! Evaluations whose type is only known from a spec.

use afterstate_game::{Evaluation, Position};
use afterstate_search::mcts::MoveOrdering;

use crate::catalogue::evaluation_kind;
use crate::key::Arguments;
use crate::{Playable, SpecError};

/// Something that is done with an evaluation, whichever it is.
pub(crate) trait WithEvaluation<P: Position> {
    /// What comes out.
    type Output;

    /// Does it.
    fn with<E: Evaluation<P> + Clone + 'static>(self, evaluation: E) -> Self::Output;
}

/// A game whose evaluations can be named.
pub(crate) trait Evaluated: Playable {
    /// Makes the evaluation of this name with these weights and does something with it.
    fn with_evaluation<W: WithEvaluation<Self>>(
        name: &'static str,
        weights: &Arguments,
        then: W,
    ) -> Result<W::Output, SpecError>;

    /// The ordering of moves of this name, by `evaluation` where it judges results.
    fn ordering<E: Evaluation<Self> + 'static>(name: &'static str, evaluation: E) -> Box<dyn MoveOrdering<Self>>;
}

/// Reads the key `eval` and does something with the evaluation it names.
pub(crate) fn with_evaluation<P: Evaluated, W: WithEvaluation<P>>(
    arguments: &Arguments,
    then: W,
) -> Result<W::Output, SpecError> {
    let spec = arguments.spec("eval")?;
    let kind = evaluation_kind(P::catalogue().evaluations, &spec)?;
    P::with_evaluation(kind.name, &Arguments::new(kind.name, kind.keys, spec)?, then)
}
