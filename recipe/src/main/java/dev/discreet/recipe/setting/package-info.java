/**
 * What can be set about a run: each setting once, with its name, type, default and help. Options,
 * run files, saved runs and provenance are made of these.
 */
package dev.discreet.recipe.setting;
