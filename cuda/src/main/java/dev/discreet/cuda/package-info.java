/**
 * The engine on one NVIDIA GPU, {@code --engine cuda}: it needs the driver and nothing else.
 *
 * <p>Here lives what knows of devices: the door to the driver, the launches of a network, and the
 * parts that a lot goes to the device in. Kernels are in {@code src/main/cuda/step.cu}, and what is
 * compiled of them is a resource. Samplers, chunks, noise and accounting must not enter: the host's
 * own functions draw the lot and cut it, and what leaves is integers.
 */
package dev.discreet.cuda;
