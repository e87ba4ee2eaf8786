/**
 * A network made ready to run tiles, and a worker that takes chunks of a lot through it: reads,
 * clips, sums, rounds.
 */
package dev.discreet.core.engine.cpu.internal.program;
