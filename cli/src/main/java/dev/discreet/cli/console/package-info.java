/** What every verb uses to read options and to print: numbers, tables, JSON, refusals. */
package dev.discreet.cli.console;
