/**
 * The engine on this machine's cores, found by the name {@code cpu}.
 *
 * <p>A worker takes a tile of examples through the whole network and back while it sits in its
 * cache. The inner loops exist twice, plain and with the Vector API; each value is made by the same
 * sequence of roundings in both, whatever the tile, so results do not depend on how the work was
 * cut. Reductions never use the Vector API's own, whose order is not defined.
 *
 * <p>Below {@code internal}: {@code kernels} has the inner loops, {@code features} what fixed first
 * layers make of images, {@code layers} one operation for each kind of layer, {@code program} the
 * way of a tile through a network and of a lot through the workers.
 */
package dev.discreet.core.engine.cpu;
