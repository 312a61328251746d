//! Monte Carlo tree search for games with and without chance, for one or two players.
