package dev.discreet.core.optimize;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;

/**
 * What is done with a mean gradient after its release and before the optimizer sees it. Its text is
 * part of a run's provenance, and must tell one transform from another.
 *
 * <p><b>Formal guarantee.</b> A transform is handed what the session released and what is public,
 * never a private row: it is post-processing, and the ledger is what it would be without it.
 */
public interface GradientTransform {

  /** What it learns from. A run refuses examples that look like its private ones. */
  Examples publicExamples();

  /**
   * Makes ready for one run. What cannot work is refused here, before anything is spent.
   *
   * @param trainable which parameters are trained; what a gradient has at others is of no use
   */
  Running open(Layout layout, boolean[] trainable, Engine engine);

  /** A transform in a run. */
  interface Running extends AutoCloseable {

    /** Changes the gradient in place. Steps count from 0; a resumed run begins later. */
    void apply(long step, float[] theta, float[] gradient);

    @Override
    void close();
  }
}
