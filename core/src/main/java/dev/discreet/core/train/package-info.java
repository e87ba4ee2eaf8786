/**
 * Training: from a plan, a network and private units to a model that says what it cost.
 *
 * <p>{@link dev.discreet.core.train.Trainer} describes a run. {@link
 * dev.discreet.core.train.PreparedRun} has decided everything, refused what cannot work and spent
 * nothing. Once it is started, the loop asks a gradient source for a clipped sum, sends it through
 * the privacy session and hands what comes back to an optimizer. {@link
 * dev.discreet.core.train.Result} has the model, what it promises and its {@link
 * dev.discreet.core.train.Provenance}; files and reports are views of these values.
 *
 * <p>Everything after the session (optimizers, averages, schedules, checkpoints) is post-processing
 * and free. No noise is made here and no gradient computed. What a listener or a file gets is
 * either released or typed as the operator's own.
 */
package dev.discreet.core.train;
