/**
 * The {@code discreet} command.
 *
 * <p>Results go to standard out, progress and logs to standard error. Exit code 0 means done, 1
 * failed, 2 wrong usage. This room reads options, calls the library and prints; nothing that
 * decides what a release costs is computed here.
 */
package dev.discreet.cli;
