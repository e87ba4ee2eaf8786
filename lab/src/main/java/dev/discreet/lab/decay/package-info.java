/**
 * Document 000: weight decay before clipping against DP-SGD, which decays after it. One file for
 * each of its experiments.
 */
package dev.discreet.lab.decay;
