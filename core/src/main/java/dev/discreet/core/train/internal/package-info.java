/**
 * How a step's mean gradient is found, with privacy or without, and which thresholds it is clipped
 * to. For this room only.
 */
package dev.discreet.core.train.internal;
