//! `afterstate merge`: games of experiments that were played elsewhere.

use std::fs::canonicalize;
use std::io::Write;
use std::path::Path;

use afterstate_lab::LabError;
use afterstate_lab::experiment::Mixing;
use afterstate_lab::store::{Merged, Store};

use super::args::MergeArgs;
use super::{Chosen, chosen, status, store_path};
use crate::failure::Failure;
use crate::number::grouped;

/// Takes over what the other files have of every experiment, and shows how far it is then.
pub(crate) fn run(out: &mut impl Write, args: &MergeArgs) -> Result<(), Failure> {
    let mixing = if args.mix_programs { Mixing::Allowed } else { Mixing::Refused };
    for one in &chosen(&args.experiment)? {
        for from in &args.from {
            take(out, one, from, mixing)?;
        }
        status::show(out, one)?;
    }
    Ok(())
}

fn take(out: &mut impl Write, chosen: &Chosen, from: &Path, mixing: Mixing) -> Result<(), Failure> {
    let path = store_path(Some(from), &chosen.experiment);
    if from.is_dir() && !path.is_file() {
        // A folder need not have every experiment.
        return Ok(writeln!(out, "{}: nothing there", path.display())?);
    }
    let other = Store::read(&path).map_err(LabError::from)?;
    if canonicalize(&path).is_ok_and(|path| canonicalize(&chosen.store).is_ok_and(|own| own == path)) {
        let path = path.display();
        return Err(Failure::input(format_args!("{path}: this is where the games are merged into; name other files")));
    }
    let mut store = Store::open(&chosen.store).map_err(LabError::from)?;
    let Merged { found, new } =
        chosen.plan.merge(&mut store, &other, mixing).map_err(|error| Failure::from(error).in_file(&path))?;
    match found {
        0 => writeln!(out, "{}: none of its games belong to this experiment", path.display())?,
        _ => writeln!(out, "{}: games {}, new {}", path.display(), grouped(found), grouped(new))?,
    }
    Ok(())
}
