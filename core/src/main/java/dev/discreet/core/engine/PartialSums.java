package dev.discreet.core.engine;

/**
 * Clipped sums over the units of one place, where a run's units lie in several: the integers of all
 * places, added up, are the sum over the lot. A place has whole buckets ({@link
 * dev.discreet.core.privacy.Grid}), and units in it that are sorted by id. Not for use by several
 * threads at once.
 */
public interface PartialSums extends AutoCloseable {

  /**
   * The sum over those units of the request's lot that lie here. Its arrays are used again by the
   * next call.
   */
  ClippedSum clippedSum(StepRequest request, LocalData here);

  /** As {@link GradientSource#refusedUnits}. */
  long refusedUnits();

  @Override
  void close();
}
