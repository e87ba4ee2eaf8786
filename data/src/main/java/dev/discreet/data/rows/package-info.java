/**
 * Rows as they are held in memory: readers and generators put them in, and engines read examples
 * from them. Nothing here knows of file formats.
 */
package dev.discreet.data.rows;
