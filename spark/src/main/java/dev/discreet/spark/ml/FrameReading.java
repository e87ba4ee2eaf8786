package dev.discreet.spark.ml;

import java.util.function.Supplier;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.slf4j.LoggerFactory;

/**
 * Work that reads a frame. What Spark says of a failure may quote a value of a private row, and an
 * exception goes further than the operator's log: into notebooks, schedulers and mails.
 */
final class FrameReading {
  static final String FAILED =
      "reading the frame failed on the cluster; Spark's log says why (outside the guarantee, for"
          + " your eyes)";

  private FrameReading() {}

  /** Does it; where Spark fails, neither its message nor its exception is passed on. */
  static <T> T of(Supplier<T> work) {
    try {
      return work.get();
    } catch (Exception e) {
      // Scala throws checked exceptions without declaring them.
      if (e instanceof RuntimeException own && !tellsOfRows(e)) {
        throw own;
      }
      // What fails while a query is planned is in no log yet.
      LoggerFactory.getLogger(FrameReading.class).warn("reading the frame failed", e);
      throw e instanceof AnalysisException
          // Of names and types alone.
          ? new IllegalArgumentException(e.getMessage().lines().findFirst().orElse(""))
          : new IllegalStateException(FAILED);
    }
  }

  private static boolean tellsOfRows(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SparkThrowable) {
        return true;
      }
    }
    return false;
  }
}
