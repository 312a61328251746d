//! Agent specs and presets: from text to a player. The only room that knows every algorithm and every game.
