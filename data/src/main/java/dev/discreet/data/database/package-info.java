/**
 * Rows that lie in a database. A table is read row by row; nothing is sent to a database that lets
 * one row decide whether another is read, or whether reading goes on.
 */
package dev.discreet.data.database;
