/**
 * One operation for each kind of layer, with its buffers, and the weights of a step in the form
 * that kernels read. An operation knows the examples of its tile, and nothing of units, lots and
 * clipping.
 */
package dev.discreet.core.engine.cpu.internal.layers;
