package dev.discreet.data;

import dev.discreet.core.model.InputColumn;

/** What stands in cells beside text. */
public final class ColumnText {
  /** Stands in a cell for bytes that are no UTF-8, and for a quote out of place. */
  public static final char GARBLED = InputColumn.GARBLED;

  private ColumnText() {}
}
