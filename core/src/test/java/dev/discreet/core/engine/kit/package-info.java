/**
 * What every engine must pass: agreement with the reference engine, sensitivity exactly, the same
 * sum whatever the cut, empty lots, refusals by name, unusable rows as zero. {@link
 * dev.discreet.core.engine.kit.EngineKit} runs all of it on one engine.
 */
package dev.discreet.core.engine.kit;
