/** Numerics that know nothing of privacy: the normal distribution, sums, minima, intervals. */
package dev.discreet.accounting.math;
