/**
 * Plots and pages: what a result looks like to a person.
 *
 * <p>What is drawn here is handed in: numbers, a training's result or an account, which hold only
 * what may be released. No training and no reading of data enters this room, so that nothing
 * private can reach a released file through it. A figure of privacy comes from a ledger, by way of
 * an accountant.
 */
package dev.discreet.report;
