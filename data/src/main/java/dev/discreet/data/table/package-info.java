/**
 * Tables: how rows are read from text, and how declared columns make examples of the rows of any
 * table. Nothing here chooses bounds, categories or formats by looking at values.
 */
package dev.discreet.data.table;
