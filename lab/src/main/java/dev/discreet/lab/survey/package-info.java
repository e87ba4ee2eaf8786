/** Document 004: regression by the functional mechanism, and MNIST as Abadi et al. have it. */
package dev.discreet.lab.survey;
