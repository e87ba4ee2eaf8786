/**
 * The engine on this machine's cores.
 *
 * <p>A worker takes a tile of examples through the whole network and back while it sits in its
 * cache. {@link dev.discreet.core.engine.cpu.Kernels} has the inner loops twice, plain and with the
 * Vector API; each value is made by the same sequence of roundings in both, whatever the tile, so
 * results do not depend on how the work was cut. Reductions never use the Vector API's own, whose
 * order is not defined.
 */
package dev.discreet.core.engine.cpu;
