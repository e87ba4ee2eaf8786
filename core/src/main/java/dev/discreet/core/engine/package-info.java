/**
 * Where the data lives, and who computes on it.
 *
 * <p>{@link dev.discreet.core.engine.PrivateData} holds the rows of the people whom a run protects.
 * Only an engine looks inside. An {@link dev.discreet.core.engine.Engine}, which is found by its
 * name, makes a {@link dev.discreet.core.engine.GradientSource} of it: from parameters and a lot of
 * private units to one clipped sum, which never says how many units were in the lot. {@link
 * dev.discreet.core.engine.PublicGradients} is the separate door for {@link
 * dev.discreet.core.engine.Examples} that are public.
 *
 * <p>Noise, optimizers and accounting never enter this package, and nothing here names an engine:
 * each has a package of its own. Every engine must pass the engine kit, which is in the test-jar of
 * this room.
 */
package dev.discreet.core.engine;
