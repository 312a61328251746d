//! What a network looks like, as data: how a board is encoded, and which layers follow.

use std::fmt;

use afterstate_twenty48::Board;
use serde::{Deserialize, Deserializer, Serialize};

use super::features::{FEATURES, SLIDES, features, slides};
use super::pass::contents;
use super::plan::{CONTENTS, Plan};

/// How a board becomes the input of a network. The first two, those of the `dietenberger` thesis, are one-hot: one number for
/// every cell and every exponent from 0 (empty) to 15. Tiles from 65536 on are seen as 32768.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// 256 numbers, cell by cell: input `16 * cell + exponent`.
    #[default]
    OneHot,
    /// 16 planes of 4x4, one for each exponent: what convolutions read.
    Planes,
    /// 12 numbers that players look at, the same for symmetric boards: empty cells, merges, differences, order, gradients.
    Features,
    /// 52 numbers: for each slide the features of the board after it, and its points.
    Slides,
}

impl Encoding {
    /// How many numbers a network gets.
    #[must_use]
    pub fn inputs(self) -> usize {
        match self {
            Self::OneHot | Self::Planes => 16 * CONTENTS,
            Self::Features => FEATURES,
            Self::Slides => SLIDES,
        }
    }

    /// Whether exactly one number of each cell is 1, so that sums of rows take the place of products.
    pub(crate) fn is_one_hot(self) -> bool {
        matches!(self, Self::OneHot | Self::Planes)
    }

    /// Appends the numbers of a board, in the order of [`super::Network::weights`].
    pub(crate) fn encode(self, board: Board, inputs: &mut Vec<f32>) {
        match self {
            Self::OneHot | Self::Planes => {
                for content in contents(board) {
                    inputs.extend((0..CONTENTS).map(|place| f32::from(u8::from(place == usize::from(content)))));
                }
            }
            Self::Features => inputs.extend(features(board)),
            Self::Slides => inputs.extend(slides(board)),
        }
    }

    /// Its name in a description.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OneHot => "one-hot",
            Self::Planes => "planes",
            Self::Features => "features",
            Self::Slides => "slides",
        }
    }
}

/// What is done with the sums of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// Nothing.
    #[default]
    Linear,
    /// Negative sums become 0.
    Relu,
    /// Scaled exponential linear unit (Klambauer and others 2017).
    Selu,
}

/// One layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Layer {
    /// A kernel of 2x2 cells that moves over the board by one cell.
    Convolution {
        /// How many numbers it gives for every place.
        channels: usize,
        /// How many cells of zeros surround the board: 0 or 1.
        #[serde(default)]
        padding: usize,
        /// What follows the sums.
        #[serde(default)]
        activation: Activation,
    },
    /// Every output sums all inputs.
    Dense {
        /// How many outputs.
        units: usize,
        /// What follows the sums.
        #[serde(default)]
        activation: Activation,
    },
}

/// A network described. In TOML:
///
/// ```toml
/// encoding = "planes"
/// layers = [
///     { kind = "convolution", channels = 64, activation = "relu" },
///     { kind = "dense", units = 1 },
/// ]
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "RawDesign", into = "RawDesign")]
pub struct Design {
    encoding: Encoding,
    layers: Vec<Layer>,
}

/// A design as it is written, not checked yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDesign {
    encoding: Encoding,
    layers: Vec<Layer>,
}

/// What is wrong with the description of a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// No layers, or too many.
    #[error("the network has {0} layers: 1 to {max} are possible", max = Design::MAX_LAYERS)]
    LayerCount(usize),
    /// A layer without outputs, or with too many.
    #[error("layer {layer} has {size} outputs: 1 to {max} are possible", max = Design::MAX_SIZE)]
    Size {
        /// The layer, counted from 1.
        layer: usize,
        /// Its size.
        size: usize,
    },
    /// Padding that no layer here has.
    #[error("layer {layer} has a padding of {padding}: 0 and 1 are possible")]
    Padding {
        /// The layer, counted from 1.
        layer: usize,
        /// Its padding.
        padding: usize,
    },
    /// A convolution that has no board before it.
    #[error("layer {layer} is a convolution, but {before}")]
    NoBoard {
        /// The layer, counted from 1.
        layer: usize,
        /// What it gets instead of a board.
        before: NotABoard,
    },
    /// More weights than anybody trains here.
    #[error("the network has {0} weights: at most {max} are possible", max = Design::MAX_WEIGHTS)]
    TooLarge(usize),
    /// A built-in design that does not exist.
    #[error("no built-in network is called `{0}`: there are {known}", known = Design::BUILT_IN.join(", "))]
    NoSuchDesign(String),
    /// Weights of another network.
    #[error("{found} weights do not fit a network of {wanted}")]
    WeightCount {
        /// How many the network has.
        wanted: usize,
        /// How many there were.
        found: usize,
    },
    /// Text that is no description of a network.
    #[error("not the description of a network: {0}")]
    Syntax(String),
}

/// Why a convolution finds no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotABoard {
    /// The encoding is flat.
    Flat(Encoding),
    /// A dense layer came before.
    Dense,
    /// Convolutions before it left a single cell.
    OneCell,
}

impl fmt::Display for NotABoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flat(encoding) => {
                return write!(f, "the encoding `{}` has no board: `planes` has one", encoding.name());
            }
            Self::Dense => "the dense layer before it leaves no board",
            Self::OneCell => "a single cell is left and its padding is 0: 2x2 cells do not fit",
        })
    }
}

impl TryFrom<RawDesign> for Design {
    type Error = DesignError;

    fn try_from(RawDesign { encoding, layers }: RawDesign) -> Result<Self, DesignError> {
        Self::new(encoding, layers)
    }
}

impl From<Design> for RawDesign {
    fn from(Design { encoding, layers }: Design) -> Self {
        Self { encoding, layers }
    }
}

impl Design {
    /// The most layers.
    pub const MAX_LAYERS: usize = 32;
    /// The most outputs of a layer at one place.
    pub const MAX_SIZE: usize = 8192;
    /// The most weights: 256 MiB of them.
    pub const MAX_WEIGHTS: usize = 64 << 20;

    /// The names of the networks that are built in.
    pub const BUILT_IN: [&str; 5] = ["cnn", "cnn-small", "fc", "policy", "policy-large"];

    /// A network of these layers.
    pub fn new(encoding: Encoding, layers: Vec<Layer>) -> Result<Self, DesignError> {
        let design = Self { encoding, layers };
        Plan::new(&design)?;
        Ok(design)
    }

    /// A network by its name. `cnn` and `fc` are the value networks of the `dietenberger` thesis, `policy` and
    /// `policy-large` the policy networks of its genetic algorithm; `cnn-small` is the first with an eighth of the channels.
    pub fn built_in(name: &str) -> Result<Self, DesignError> {
        match name {
            "cnn" => Self::convolutional(256, &[384, 128, 32]),
            "cnn-small" => Self::convolutional(32, &[64, 32]),
            "fc" => Self::fully_connected(&[128, 64, 32, 16], 1),
            "policy" => Self::fully_connected(&[128, 256, 128], 4),
            "policy-large" => Self::fully_connected(&[128, 256, 512, 256, 128], 4),
            _ => Err(DesignError::NoSuchDesign(name.to_owned())),
        }
    }

    /// Three convolutions of this many channels, the second one padded, then dense layers, then one output.
    pub fn convolutional(channels: usize, hidden: &[usize]) -> Result<Self, DesignError> {
        let convolution = |padding| Layer::Convolution { channels, padding, activation: Activation::Relu };
        let convolutions = [convolution(0), convolution(1), convolution(0)];
        Self::new(Encoding::Planes, convolutions.into_iter().chain(dense(hidden, 1)).collect())
    }

    /// Dense layers on 256 inputs.
    pub fn fully_connected(hidden: &[usize], outputs: usize) -> Result<Self, DesignError> {
        Self::new(Encoding::OneHot, dense(hidden, outputs).collect())
    }

    /// Dense layers with `ReLU` behind the hidden ones: inputs that it sets to zero can be skipped.
    pub fn rectified(encoding: Encoding, hidden: &[usize], outputs: usize) -> Result<Self, DesignError> {
        let hidden = hidden.iter().map(|&units| Layer::Dense { units, activation: Activation::Relu });
        let output = Layer::Dense { units: outputs, activation: Activation::Linear };
        Self::new(encoding, hidden.chain([output]).collect())
    }

    /// Reads the name of a built-in network or a design of one's own, where settings ask for a network.
    pub(crate) fn named_or_own<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        match toml::Value::deserialize(deserializer)? {
            toml::Value::String(name) => Self::built_in(&name).map_err(D::Error::custom),
            own => own.try_into().map_err(D::Error::custom),
        }
    }

    /// The same where a network may be missing.
    pub(crate) fn maybe_named_or_own<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Self::named_or_own(deserializer).map(Some)
    }

    /// Reads a design from TOML.
    pub fn from_toml(text: &str) -> Result<Self, DesignError> {
        toml::from_str(text).map_err(|error| DesignError::Syntax(error.to_string()))
    }

    /// The encoding of boards.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The layers.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The number of outputs for one board.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.plan().outputs()
    }

    /// The number of weights, biases included.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.plan().weights
    }

    /// The rows and columns of the matrix of every layer, in the order of the weights; its biases follow each.
    pub(crate) fn matrices(&self) -> Vec<(usize, usize)> {
        self.plan().stages.iter().map(|stage| (stage.inputs, stage.outputs)).collect()
    }

    pub(super) fn plan(&self) -> Plan {
        Plan::new(self).unwrap_or_else(|error| unreachable!("checked when the design was made: {error}"))
    }
}

/// Dense layers with SELU, and the linear outputs.
fn dense(hidden: &[usize], outputs: usize) -> impl Iterator<Item = Layer> {
    let hidden = hidden.iter().map(|&units| Layer::Dense { units, activation: Activation::Selu });
    hidden.chain([Layer::Dense { units: outputs, activation: Activation::Linear }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_networks_are_those_of_the_thesis() {
        for name in Design::BUILT_IN {
            assert!(Design::built_in(name).is_ok(), "{name}");
        }
        let cnn = Design::built_in("cnn").unwrap();
        let convolutions = (64 + 1) * 256 + 2 * (1024 + 1) * 256;
        let dense = (2304 + 1) * 384 + (384 + 1) * 128 + (128 + 1) * 32 + 33;
        assert_eq!((cnn.weights(), cnn.outputs()), (convolutions + dense, 1));
        assert_eq!(Design::built_in("policy").unwrap().outputs(), 4);
        let error = Design::built_in("cmm").unwrap_err().to_string();
        assert_eq!(error, "no built-in network is called `cmm`: there are cnn, cnn-small, fc, policy, policy-large");
    }

    #[test]
    fn a_design_is_read_back_as_written() {
        for name in Design::BUILT_IN {
            let design = Design::built_in(name).unwrap();
            assert_eq!(Design::from_toml(&toml::to_string(&design).unwrap()).unwrap(), design);
        }
    }

    #[test]
    fn layers_that_do_not_fit_are_named() {
        let check = |text: &str, reason: &str| {
            let error = Design::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        let planes = |layers: &str| format!("encoding = \"planes\"\nlayers = [{layers}]");
        let dense = r#"{ kind = "dense", units = 4 }"#;
        let convolution = r#"{ kind = "convolution", channels = 4 }"#;
        check(&planes(""), "the network has 0 layers");
        check(&planes(&[dense; 33].join(",")), "the network has 33 layers");
        check(&planes(&format!("{dense}, {convolution}")), "layer 2 is a convolution, but the dense layer before it");
        check(&planes(&[convolution; 4].join(",")), "layer 4 is a convolution, but a single cell is left");
        check(&format!("encoding = \"one-hot\"\nlayers = [{convolution}]"), "the encoding `one-hot` has no board");
        check(&format!("encoding = \"slides\"\nlayers = [{convolution}]"), "the encoding `slides` has no board");
        check(&planes(r#"{ kind = "dense", units = 0 }"#), "layer 1 has 0 outputs: 1 to 8192 are possible");
        check(&planes(r#"{ kind = "convolution", channels = 9, padding = 2 }"#), "layer 1 has a padding of 2");
        check(&planes(&[r#"{ kind = "dense", units = 8192 }"#; 3].join(",")), "weights: at most");
        check(&planes(r#"{ kind = "pooling" }"#), "unknown variant `pooling`");
        check(&planes(r#"{ kind = "dense", unit = 4 }"#), "unit");
        check("encoding = \"binary\"\nlayers = []", "unknown variant `binary`");
    }
}
