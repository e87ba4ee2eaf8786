/**
 * Principal directions of private rows, released once, and the projection onto them as a view of
 * examples, which a trainer reads as it reads any others.
 */
package dev.discreet.algorithms.pca;
