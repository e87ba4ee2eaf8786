/**
 * Numbers that change over the steps of a run: learning rates, clipping thresholds, noise
 * multipliers. Pure functions of the step; nothing that depends on data may enter.
 */
package dev.discreet.core.schedule;
