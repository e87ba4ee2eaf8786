/** The verbs of {@code discreet account}: they read options, ask the account and print. */
package dev.discreet.cli.account;
