/** Spreadsheets as tables: which cells they hold, never what their columns mean. */
package dev.discreet.data.sheet;
