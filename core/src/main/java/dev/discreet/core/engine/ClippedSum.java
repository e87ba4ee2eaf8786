package dev.discreet.core.engine;

import dev.discreet.core.privacy.BoundedValue;

/**
 * The sum of the lot's clipped gradients on the grid. It is private until noise is on it, and holds
 * nothing about the lot's size.
 *
 * <p>Its coordinates are those of the trainable parameters, ordered by clipping group and inside a
 * group by place in the parameter vector; {@code places[i]} is the place of coordinate i. The
 * arrays belong to the source, which uses them again in the next step.
 */
public record ClippedSum(
    long[] integers, int exponent, int[] groupEnds, double[] sensitivities, int[] places)
    implements BoundedValue {}
