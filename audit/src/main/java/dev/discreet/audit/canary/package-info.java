/**
 * Audits of whole training runs by canaries: units that are made to be noticed.
 *
 * <p>A run is trained by the real trainer, engine and keys, with some canaries among its rows and
 * some not. A {@link dev.discreet.audit.canary.ReleaseTap} sees what the guarantee lets anyone see:
 * every released gradient and the parameters that it belongs to. {@link
 * dev.discreet.audit.canary.CanaryScorer} says of each canary how much a release looks as if it
 * were in it, and {@code audit.bound} what the scores prove.
 *
 * <p>Scores use neither the run's keys nor its noise: only what an adversary has. They do use the
 * other rows, which the adversary of differential privacy knows; so what is found out here is
 * outside the guarantee wherever those rows are private.
 */
package dev.discreet.audit.canary;
