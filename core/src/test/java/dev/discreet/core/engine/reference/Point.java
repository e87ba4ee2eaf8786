package dev.discreet.core.engine.reference;

import dev.discreet.core.engine.DropoutMask;
import dev.discreet.core.nn.Layout.Node;

/**
 * Where a network is evaluated: the parameters and, in training, whose dropout masks to draw.
 *
 * @param training whether dropout is on; if not, the two numbers after it mean nothing
 */
record Point(double[] parameters, boolean training, long choice, int example) {

  /** The whole network, dropout off. */
  static Point whole(double[] parameters) {
    return new Point(parameters, false, 0, 0);
  }

  DropoutMask mask(Node node) {
    return DropoutMask.of(choice, example, node);
  }
}
