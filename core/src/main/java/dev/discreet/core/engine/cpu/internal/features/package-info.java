/**
 * Features that a fixed first layer makes of images: computed once, kept in half precision in a
 * file without a name, and read by whatever layers come after. No parameters, no units.
 */
package dev.discreet.core.engine.cpu.internal.features;
