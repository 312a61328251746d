//! `afterstate serve`: the web page.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use afterstate_server::{Access, Capacity, Settings, Token};
use clap::Args;

use crate::failure::Failure;
use crate::number::whole_number;
use crate::output::tell;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen; any address but this machine's own asks visitors for a token
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:2048", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// Searches running at a time [default: one per core, at most 8]
    #[arg(long, value_parser = whole_number::<u16>(1..=256))]
    pub(crate) searches: Option<u16>,
    /// The longest search, such as 30s
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = crate::args::time)]
    pub(crate) search_time: Duration,
    /// The folder of the experiments' results that the page shows
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    pub(crate) results: PathBuf,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "expected an address and a port, such as 127.0.0.1:2048".to_owned())
}

/// Serves the page until Ctrl-C or a request to terminate.
pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let settings = settings(args)?;
    let listening = |server: &afterstate_server::Server| {
        if settings.access != Access::ThisMachine {
            tell!("warning: other machines can reach this server; whoever has the token below can use it");
        }
        // The server is there for visitors, whoever reads this.
        let _ = writeln!(io::stdout(), "{}", server.url());
    };
    afterstate_server::serve(&settings, listening)
        .map_err(|error| Failure::world(format!("serving on {}", args.listen), error))
}

fn settings(args: &ServeArgs) -> Result<Settings, Failure> {
    let access = if args.listen.ip().is_loopback() {
        Access::ThisMachine
    } else {
        Access::WithToken(Token::random().map_err(|error| Failure::world("making a token", error))?)
    };
    let mut capacity = Capacity { search_time: args.search_time, ..Capacity::default() };
    capacity.spec.time = args.search_time;
    if let Some(searches) = args.searches {
        capacity.running = usize::from(searches);
    }
    Ok(Settings { listen: args.listen, access, capacity, results: args.results.clone() })
}
