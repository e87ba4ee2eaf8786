package dev.discreet.spark;

import java.io.Serializable;
import org.apache.spark.sql.Row;

/** Reads one row of a frame; the same row always gives the same values. */
@FunctionalInterface
public interface RowValues extends Serializable {
  /**
   * The inputs of an example, then its targets; null where the row does not fit what was declared.
   * A {@link RuntimeException} means the same.
   */
  float[] of(Row row);
}
