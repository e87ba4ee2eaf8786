/**
 * Linear and logistic regression from a few noisy sums: the functional mechanism (Zhang et al.
 * 2012) with Laplace or Gaussian noise, and, for comparison, sufficient statistics with an adaptive
 * ridge (Wang 2018). Each reads private rows once, through a privacy session. What it does with the
 * noisy sums costs nothing more.
 */
package dev.discreet.algorithms.regression;
