/**
 * Hostile input: every reader of files is given a great many that were made to break it, and may do
 * nothing but read or refuse them. docs/trust/hostile-input.md says what is promised.
 */
package dev.discreet.fuzz;
