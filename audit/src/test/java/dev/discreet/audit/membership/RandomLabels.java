package dev.discreet.audit.membership;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import dev.discreet.data.Split;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Points with labels that follow from nothing: what a model knows of them it has by heart. */
final class RandomLabels {
  static final int COLUMNS = 64;

  // Of two labels every other one would be guessed by chance.
  private static final Task TASK =
      new Task.Classes(List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));

  private RandomLabels() {}

  static DataSet rows(int count) {
    return new DataSet("random labels", TASK, part(count, 1, Split.By.NOTHING), Optional.empty());
  }

  /** Some to train on and some that were held out. */
  static DataSet split(int trained, int tested, Split.By by) {
    return new DataSet(
        "random labels", TASK, part(trained, 1, by), Optional.of(part(tested, 2, by)));
  }

  private static DataSet.Part part(int count, long seed, Split.By by) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] inputs = new float[count * COLUMNS];
    float[] labels = new float[count];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) random.nextDouble(-1, 1);
    }
    for (int i = 0; i < count; i++) {
      labels[i] = random.nextInt(10);
    }
    Examples examples = Examples.of(Shape.vector(COLUMNS), inputs, 1, labels);
    return new DataSet.Part(
        examples, Units.each(count), false, true, by, "", Optional.empty(), false);
  }
}
