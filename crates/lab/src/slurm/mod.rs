//! Experiments on a cluster that runs Slurm.
//!
//! What is missing in a store is cut into tasks of many games, written down as a [`Work`] order in a folder that all nodes
//! see, and submitted as one array job: a *round*. A task is this same program; it plays its games and appends them to a
//! [shard](crate::shard). The command that submitted the round looks at the queue, merges what has arrived into the store, and
//! can be interrupted and called again at any time: what is stored, in a shard, or still in the queue is not submitted again.
//!
//! Nothing is remembered between two calls except what lies in the folder. Whether a task still exists is asked of Slurm's
//! queue, by the name of its job, so there is no list of job numbers that could be wrong.

mod error;
mod folder;
mod queue;
mod run;
mod script;
mod status;
mod task;
mod work;

pub use error::SlurmError;
pub use folder::{Folder, Round};
pub use queue::{Place, Queue, QueuedTask};
pub use run::{ClusterEnd, ClusterProgress, ClusterRun, FailedTask};
pub use script::ArraySettings;
pub use status::{RoundStatus, cluster_status};
pub use task::{TaskEnd, run_task};
pub use work::{Order, Work};
