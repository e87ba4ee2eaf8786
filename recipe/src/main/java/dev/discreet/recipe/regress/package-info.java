/**
 * A regression from noisy sums: what is set about it, its fit, and the folder that it leaves, which
 * is read as one of {@code train}.
 */
package dev.discreet.recipe.regress;
