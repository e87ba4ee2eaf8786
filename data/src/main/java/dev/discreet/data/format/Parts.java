package dev.discreet.data.format;

import dev.discreet.data.Rows;
import java.util.Optional;

/**
 * What a file or folder of a format that knows parts holds.
 *
 * @param test the format's own test part; empty where it has none
 */
public record Parts(Rows train, Optional<Rows> test) {}
