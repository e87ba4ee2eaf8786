package dev.discreet.data;

import java.util.Optional;

/**
 * The rows that a format read from a file or folder.
 *
 * @param train the rows, or those of the training part
 * @param test the format's own test part; empty where it has none
 */
public record FileRows(Rows train, Optional<Rows> test) {

  /**
   * Rows without a test part.
   *
   * @param rows all there are
   * @return them as the training part
   */
  public static FileRows only(Rows rows) {
    return new FileRows(rows, Optional.empty());
  }
}
