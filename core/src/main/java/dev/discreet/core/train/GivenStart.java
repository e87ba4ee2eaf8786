package dev.discreet.core.train;

import dev.discreet.core.model.Origin;
import dev.discreet.core.nn.Shape;
import java.util.Optional;

/**
 * Parameters that a run is told to begin with.
 *
 * @param input the shape that they were made for; empty where any will do
 */
record GivenStart(float[] parameters, Origin origin, Optional<Shape> input) {
  GivenStart {
    parameters = parameters.clone();
  }
}
