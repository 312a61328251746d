//! Which settings a search can run with.

use afterstate_game::{Afterstate, Evaluation, Limits, Position};

use super::settings::{
    Chance, Choice, Expansion, FirstPlay, Over, Parallelism, Rule, Scale, Selection, Settings, Shares, Simulation,
};
use super::tree;

/// What is wrong with settings.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A number that is not one, or out of its range.
    #[error("{name} is {value}, but must be {range}")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        range: &'static str,
    },
    /// Shares of moves that make more than all.
    #[error("the shares of {name}, best {best} and random {random}, sum to more than 1")]
    SharesOverOne {
        /// The setting.
        name: &'static str,
        /// The share of the best.
        best: f64,
        /// The share of the random ones.
        random: f64,
    },
    /// Nothing ends a decision.
    #[error("no limit is set: iterations, time or nodes must be")]
    Unlimited,
    /// The memory does not hold a tree.
    #[error("memory is {given} bytes, but one node for each tree takes {least}")]
    MemoryUnderOneNode {
        /// What was given.
        given: u64,
        /// What would do.
        least: u64,
    },
    /// Two settings that exclude each other.
    #[error("{what} needs {needs}")]
    Needs {
        /// One setting.
        what: &'static str,
        /// What it needs.
        needs: &'static str,
    },
}

impl Settings {
    /// The settings, if a search of this game with this evaluation can run with them.
    pub(super) fn checked<P: Position, E: Evaluation<P>>(self) -> Result<Self, SettingsError> {
        self.check_limits()?;
        self.check_selection()?;
        self.check_tree()?;
        if P::Afterstate::HAS_CHANCE && self.chance == Chance::OpenLoop {
            self.check_open_loop()?;
        }
        self.check_simulation()?;
        self.check_payoff(E::COUNTS_REWARDS)?;
        let least = tree::node_bytes::<P::Move>(self.parallelism) * u64::from(self.trees());
        if self.memory < least {
            return Err(SettingsError::MemoryUnderOneNode { given: self.memory, least });
        }
        Ok(self)
    }

    /// The number of trees that share the memory.
    pub(super) fn trees(&self) -> u32 {
        match self.parallelism {
            Parallelism::Root { trees } => trees,
            Parallelism::Single | Parallelism::Tree { .. } => 1,
        }
    }

    /// Whether the selection asks how promising a move is.
    pub(super) fn uses_promises(&self) -> bool {
        self.selection.bias > 0.0 || matches!(self.selection.rule, Rule::Puct { .. })
    }

    /// Whether the selection asks for the value of a move before its first visit.
    pub(super) fn uses_static_values(&self) -> bool {
        self.minimax > 0.0 || self.selection.first_play == FirstPlay::Static
    }

    fn check_limits(&self) -> Result<(), SettingsError> {
        let Limits { depth, nodes, iterations, time } = self.limits;
        for (name, zero) in
            [("iterations", iterations == Some(0)), ("nodes", nodes == Some(0)), ("depth", depth == Some(0))]
        {
            if zero {
                return Err(SettingsError::OutOfRange { name, value: 0.0, range: "at least 1" });
            }
        }
        if iterations.is_none() && time.is_none() && nodes.is_none() { Err(SettingsError::Unlimited) } else { Ok(()) }
    }

    fn check_selection(&self) -> Result<(), SettingsError> {
        let Selection { rule, bias, first_play } = self.selection;
        not_negative("the exploration constant c", rule.exploration())?;
        not_negative("the progressive bias", bias)?;
        in_unit("the weight of implicit minimax", self.minimax)?;
        match rule {
            Rule::SinglePlayer { d, .. } => not_negative("the constant d of the third term", d)?,
            Rule::Puct { temperature, .. } => positive("the temperature of the priors", temperature)?,
            _ => {}
        }
        match first_play {
            FirstPlay::Urgency(value) | FirstPlay::BelowParent(value) => finite("the first-play urgency", value)?,
            FirstPlay::BeforeAll | FirstPlay::Static => {}
        }
        let whole_families = [
            (matches!(rule, Rule::Puct { .. }), "PUCT"),
            (bias > 0.0, "the progressive bias"),
            (first_play == FirstPlay::Static, "a static first-play value"),
            (self.minimax > 0.0, "implicit minimax"),
        ];
        match whole_families.into_iter().find(|&(asked, _)| asked) {
            Some((_, what)) if self.expansion == Expansion::OneByOne => {
                Err(SettingsError::Needs { what, needs: "expansion all at once" })
            }
            _ => Ok(()),
        }
    }

    fn check_open_loop(&self) -> Result<(), SettingsError> {
        if self.expansion == Expansion::OneByOne {
            return Ok(());
        }
        Err(SettingsError::Needs { what: "open-loop chance", needs: "expansion one by one" })
    }

    fn check_tree(&self) -> Result<(), SettingsError> {
        match self.choice {
            Choice::MaxRobust { extension } => not_negative("the extension of the max-robust child", extension)?,
            Choice::Secure { a } => not_negative("the constant a of the secure child", a)?,
            Choice::Max | Choice::Robust => {}
        }
        if self.parallelism.threads() == 0 {
            return Err(SettingsError::OutOfRange { name: "the number of threads", value: 0.0, range: "at least 1" });
        }
        match self.expansion {
            Expansion::AllAtOnce { keep, at_visit } => {
                check("the visit that expands a node", f64::from(at_visit), at_visit > 0, "at least 1")?;
                keep.map_or(Ok(()), |shares| shares.check("the branching reduction"))
            }
            Expansion::OneByOne => Ok(()),
        }
    }

    fn check_simulation(&self) -> Result<(), SettingsError> {
        match self.simulation {
            Simulation::Policy { shares, .. } => shares.check("the simulation policy"),
            Simulation::Greedy { random, .. } => in_unit("the share of random moves in a greedy simulation", random),
            Simulation::LookAhead { moves } => {
                check("the moves of a look-ahead", f64::from(moves), (1..=8).contains(&moves), "between 1 and 8")
            }
            Simulation::None | Simulation::Random { .. } => Ok(()),
        }
    }

    fn check_payoff(&self, counts_rewards: bool) -> Result<(), SettingsError> {
        positive("the value of a win", self.payoff.win)?;
        if let Over::Worth(value) = self.payoff.over {
            finite("the worth of a finished game", value)?;
        }
        match self.payoff.scale {
            Scale::Raw => return Ok(()),
            Scale::Linear { half_range } => positive("the half range of the payoff", half_range)?,
            Scale::Logistic { scale } => positive("the scale of the payoff", scale)?,
        }
        if counts_rewards {
            return Err(SettingsError::Needs { what: "an evaluation that counts rewards", needs: "raw payoffs" });
        }
        Ok(())
    }
}

impl Shares {
    fn check(self, name: &'static str) -> Result<(), SettingsError> {
        in_unit("a share of moves", self.best)?;
        in_unit("a share of moves", self.random)?;
        // Shares are typed in as decimals: .7 and .3 must not fail on their last binary digit.
        if self.best + self.random > 1.0 + 1e-9 {
            return Err(SettingsError::SharesOverOne { name, best: self.best, random: self.random });
        }
        Ok(())
    }
}

fn check(name: &'static str, value: f64, holds: bool, range: &'static str) -> Result<(), SettingsError> {
    if holds { Ok(()) } else { Err(SettingsError::OutOfRange { name, value, range }) }
}

fn finite(name: &'static str, value: f64) -> Result<(), SettingsError> {
    check(name, value, value.is_finite(), "a finite number")
}

fn not_negative(name: &'static str, value: f64) -> Result<(), SettingsError> {
    check(name, value, value.is_finite() && value >= 0.0, "a finite number, 0 or more")
}

fn positive(name: &'static str, value: f64) -> Result<(), SettingsError> {
    check(name, value, value.is_finite() && value > 0.0, "a finite number over 0")
}

fn in_unit(name: &'static str, value: f64) -> Result<(), SettingsError> {
    check(name, value, (0.0..=1.0).contains(&value), "between 0 and 1")
}
