package dev.discreet.core.engine;

/**
 * Where clipped gradient sums come from: this machine's cores, a GPU, a cluster. The same request
 * gives the same sum, however the work was divided and however often a part of it ran.
 */
public interface GradientSource extends AutoCloseable {

  /** Which parameter each coordinate of every sum belongs to: public, and the same for a run. */
  Coordinates coordinates();

  /** Σ over the units in the request's lot of the clipped gradient of the unit. */
  ClippedSum clippedSum(StepRequest request);

  /**
   * How often a unit counted as zero, whole or in part, since the source was made: an example of it
   * could not be used, or its gradient was not finite. It depends on private data: for the
   * operator's eyes only.
   */
  long refusedUnits();

  /**
   * From now on says how long the parts of a sum took. An engine that does not know them says
   * nothing.
   */
  default void timedBy(StepClock clock) {}

  @Override
  void close();
}
