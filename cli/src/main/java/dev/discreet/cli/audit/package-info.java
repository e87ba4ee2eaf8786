/** The verb {@code audit}: reads options, plays attacks of the room audit, and prints. */
package dev.discreet.cli.audit;
