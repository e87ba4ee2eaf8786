/**
 * The inner loops, twice: {@link dev.discreet.core.engine.cpu.internal.kernels.ScalarKernels},
 * obviously right, and {@link dev.discreet.core.engine.cpu.internal.kernels.SimdKernels} with the
 * Vector API. Both give the same bits. Kernels know arrays and index tables, no layers and no
 * units.
 */
package dev.discreet.core.engine.cpu.internal.kernels;
