//! Expectimax for one player against chance.
