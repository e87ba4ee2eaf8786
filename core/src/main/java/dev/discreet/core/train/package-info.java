/**
 * Training: from a plan, a network and private units to a model that says what it cost.
 *
 * <p>{@link dev.discreet.core.train.Trainer} asks a gradient source for a clipped sum, sends it
 * through the privacy session and hands what comes back to an optimizer. Everything after the
 * session (optimizers, averages, schedules, checkpoints) is post-processing and free. No noise is
 * made here and no gradient computed; what a listener or a file gets is either released or typed as
 * the operator's own.
 */
package dev.discreet.core.train;
