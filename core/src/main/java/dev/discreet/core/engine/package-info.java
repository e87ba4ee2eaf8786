/**
 * Gradients: from parameters and a lot of private units to one clipped sum.
 *
 * <p>{@link dev.discreet.core.engine.GradientSource} is the seam. Noise, optimizers and accounting
 * never enter this room; a source never says how many units were in a lot. {@link
 * dev.discreet.core.engine.PublicGradients} is the separate door for public data.
 */
package dev.discreet.core.engine;
