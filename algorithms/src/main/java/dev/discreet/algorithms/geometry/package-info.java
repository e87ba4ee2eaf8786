/**
 * What clipping does to gradients: tangent kernels, cosines, projections to look at, bias and
 * symmetry, and clipping to sets other than a ball. These are pictures for people who study a
 * training, and no part of a training. Nothing here is noised or accounted, so what is computed
 * from private rows is outside the guarantee and is labelled so.
 */
package dev.discreet.algorithms.geometry;
