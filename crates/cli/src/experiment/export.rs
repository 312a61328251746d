//! `afterstate export`: single games, for whoever wants to compute something else.

use std::io::{self, BufWriter, Write};

use super::args::ExportArgs;
use super::{Chosen, chosen};
use crate::failure::Failure;
use afterstate_lab::export::{Form, games};

use super::args::ExportFormat;

/// Writes the games of the experiments to a file or to standard output.
pub(crate) fn run(out: &mut impl Write, args: &ExportArgs) -> Result<(), Failure> {
    let chosen = chosen(&args.experiment)?;
    match &args.to {
        None => write_all(out, &chosen, args.format),
        Some(path) => {
            let wrong = |error: io::Error| Failure::world(format_args!("writing {}", path.display()), error);
            let temporary = path.with_added_extension("tmp");
            let mut file = BufWriter::new(std::fs::File::create(&temporary).map_err(wrong)?);
            write_all(&mut file, &chosen, args.format)?;
            let file = file.into_inner().map_err(|error| wrong(error.into_error()))?;
            file.sync_all().and_then(|()| std::fs::rename(&temporary, path)).map_err(wrong)
        }
    }
}

fn write_all(out: &mut impl Write, chosen: &[Chosen], format: ExportFormat) -> Result<(), Failure> {
    let form = match format {
        ExportFormat::Csv => Form::Csv,
        ExportFormat::Json => Form::JsonLines,
        ExportFormat::Records => Form::Records,
    };
    for one in chosen {
        let store = one.read()?;
        games(&one.plan, &store, form, |text| out.write_all(text.as_bytes()))??;
    }
    Ok(())
}
