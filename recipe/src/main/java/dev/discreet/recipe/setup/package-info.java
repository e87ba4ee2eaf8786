/**
 * From settings to the parts of a run: data, network, start, plan and optimizer, each with its
 * default where nothing was set.
 */
package dev.discreet.recipe.setup;
