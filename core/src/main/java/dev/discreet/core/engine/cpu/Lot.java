package dev.discreet.core.engine.cpu;

/** Units of a lot, and each one's secret bits in this release. */
record Lot(int[] units, long[] choices) {}
