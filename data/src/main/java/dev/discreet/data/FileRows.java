package dev.discreet.data;

import java.util.Optional;

/**
 * What a file or folder of a format that knows parts holds.
 *
 * @param test the format's own test part; empty where it has none
 */
public record FileRows(Rows train, Optional<Rows> test) {}
