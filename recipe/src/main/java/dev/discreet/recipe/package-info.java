/**
 * A run, described and prepared: what is to be run as one value, the run that is made of it, and
 * the files that it leaves.
 *
 * <p>What goes into a released file is made in {@link dev.discreet.recipe.RunFolder}, from what was
 * released or is public. Nothing here prints, and nothing here reads options.
 */
package dev.discreet.recipe;
