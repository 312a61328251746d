//! Alpha-beta for two-player games.
