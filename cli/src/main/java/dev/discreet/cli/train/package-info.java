/**
 * The verbs that touch data: {@code train}, {@code tune}, {@code evaluate}, {@code predict}, {@code
 * regress}, {@code geometry} and {@code data}. They read options, which are the settings of {@link
 * dev.discreet.recipe.setting.Settings}, and print.
 */
package dev.discreet.cli.train;
