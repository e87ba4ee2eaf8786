/**
 * What the algorithms that release a matrix share: exact sums of products of bounded rows, made
 * ready for the privacy session, and the little linear algebra that is done with what comes out of
 * it. Dense and for hundreds of columns, not for thousands.
 */
package dev.discreet.algorithms.matrix;
