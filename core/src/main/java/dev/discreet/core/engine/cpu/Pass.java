package dev.discreet.core.engine.cpu;

/**
 * What a tile's run knows beside its numbers.
 *
 * @param release the step, which dropout's masks depend on
 * @param examples the index of each example in the tile
 * @param training whether dropout is on
 */
record Pass(long release, int[] examples, boolean training) {}
