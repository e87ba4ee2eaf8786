/**
 * Linear and logistic regression from a few noisy sums: the functional mechanism (Zhang et al.
 * 2012) with Laplace or Gaussian noise, and sufficient statistics with an adaptive ridge (Wang
 * 2018) beside it. Every one reads private rows once, through a privacy session; what it does with
 * the noisy sums costs nothing more.
 */
package dev.discreet.algorithms.regression;
