/**
 * Projected DP-SGD (Zhou, Wu and Banerjee 2021): a released gradient is projected onto the space
 * that gradients of a few public examples span. No private row enters here, and nothing is released
 * from here.
 */
package dev.discreet.algorithms.projected;
