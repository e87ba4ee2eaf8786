/**
 * What clipping does to gradients: tangent kernels, cosines, projections to look at, bias and
 * symmetry, and clipping to other sets than a ball. Pictures for people who study a training, not
 * part of one: nothing here is noised or accounted, so what is computed from private rows is
 * outside the guarantee and is labelled so.
 */
package dev.discreet.algorithms.geometry;
