package dev.discreet.core.engine;

/**
 * Examples that also have what a network would have made of their mirror images: features that are
 * computed once. To mirror the features themselves would not be the same.
 */
public interface MirroredExamples extends Examples {

  /** As {@link #input}, of the mirror image. */
  void mirrored(int example, float[] to, int at);
}
