package dev.discreet.core.engine.cpu.internal.program;

/** Units of a lot, and each one's secret bits in this release. */
public record DrawnLot(int[] units, long[] choices) {}
