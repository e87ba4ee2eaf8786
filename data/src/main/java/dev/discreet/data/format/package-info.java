/**
 * Readers of file formats. Each gives {@link dev.discreet.data.Rows}, holds every value once and
 * refuses what it does not understand in one line that names the file. Nothing here chooses bounds,
 * classes or scaling by looking at values: they are declared, or a fixed part of a format.
 */
package dev.discreet.data.format;
