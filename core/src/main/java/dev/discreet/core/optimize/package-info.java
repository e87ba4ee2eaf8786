/**
 * How released gradients move parameters: optimizers, weight decay, averages, and which parameters
 * are trained. All of it is post-processing of what the privacy session released, and free. Nothing
 * here sees a private row.
 */
package dev.discreet.core.optimize;
