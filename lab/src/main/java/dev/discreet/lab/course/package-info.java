/**
 * Document 001: course notes on DP-SGD, with problems and with experiments on Fashion-MNIST. One
 * file for each of its experiments.
 */
package dev.discreet.lab.course;
