/**
 * What the algorithms that release a matrix share: exact sums of products of bounded rows, prepared
 * for the privacy session, and the linear algebra for the released matrices. It is dense, and for
 * hundreds of columns, not for thousands.
 */
package dev.discreet.algorithms.matrix;
