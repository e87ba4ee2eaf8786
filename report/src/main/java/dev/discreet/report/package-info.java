/**
 * Plots and pages: what a result looks like to a person.
 *
 * <p>Everything drawn here is handed in as numbers. No accounting, no training and no reading of
 * data enters this room, so that nothing private can reach a released file through it.
 */
package dev.discreet.report;
