package dev.discreet.core.engine.reference;

/**
 * A lot's clipped sum before any rounding, with what it was made of.
 *
 * @param sum in order of the parameter vector, 0 at frozen places
 * @param norms for each unit of the lot and each clipping group, the norm before clipping
 * @param factors what each was multiplied by; all 0 for a unit that was refused
 * @param refused how many units had an example that cannot be used, or a gradient that is not
 *     finite
 * @param counts for each clipping group, units below its threshold less those above
 */
public record ExactSum(
    double[] sum, double[][] norms, double[][] factors, int refused, long[] counts) {}
