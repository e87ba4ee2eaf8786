/**
 * Principal directions of private rows, released once, and the projection onto them as a view of
 * examples. A trainer reads this view like any other examples.
 */
package dev.discreet.algorithms.pca;
