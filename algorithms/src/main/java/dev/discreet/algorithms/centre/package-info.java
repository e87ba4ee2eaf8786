/**
 * The mean of fixed features, released once, which a network then takes off them. What is trained
 * stays out.
 */
package dev.discreet.algorithms.centre;
