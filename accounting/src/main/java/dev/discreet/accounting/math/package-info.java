/** Numerics that know nothing of privacy: the normal distribution, sums, minima. */
package dev.discreet.accounting.math;
