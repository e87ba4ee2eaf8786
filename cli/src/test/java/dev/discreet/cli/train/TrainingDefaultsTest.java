package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Task;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingDefaultsTest {
  private static final Task TEN =
      new Task.Classes(IntStream.range(0, 10).mapToObj(Integer::toString).toList());

  private static TrainingDefaults images(long units) {
    return new TrainingDefaults(units, new Shape(28, 28, 1), TEN, true);
  }

  @ParameterizedTest
  @CsvSource({"60000, 4096, 40", "20000, 1024, 20", "10000, 512, 10", "1000, 250, 5", "3, 1, 5"})
  void lotAndRateFollowTheNumberOfUnits(long units, long lot, double rate) {
    TrainingDefaults defaults = images(units);
    assertEquals(lot, defaults.lotSize());
    assertEquals(rate, defaults.learningRate(lot, defaults.clip(), false), 1e-9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"28x28x1", "32x32x3", "64x48x3", "20x20x1", "8x8x1", "2x2x4", "14"})
  void thereIsAModelForEveryShape(String shape) {
    Shape input = Shape.parse(shape);
    for (Task task : List.of(TEN, new Task.Number("y", 0, 1))) {
      TrainingDefaults defaults = new TrainingDefaults(5000, input, task, true);
      int outputs = Network.named(defaults.model()).on(input).outputs();
      assertTrue(outputs == (task == TEN ? 10 : 1), defaults.model());
    }
  }
}
