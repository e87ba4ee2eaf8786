/**
 * The verbs that touch data: {@code train}, {@code evaluate}, {@code predict} and {@code data}.
 *
 * <p>{@link dev.discreet.cli.train.Settings} is the one table of what can be set; options, run
 * files, saved runs and provenance are all made from it. What goes into a released file is made in
 * {@link dev.discreet.cli.train.RunFolder} and nowhere else, from what was released or is public.
 */
package dev.discreet.cli.train;
