package dev.discreet.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleTest {

  static Stream<Schedule> all() {
    return Stream.of(
        Schedule.constant(0.3),
        Schedule.linear(0.1, 0.052, 10),
        Schedule.linear(0.1, 2, 7),
        Schedule.stepDecay(1, 0.5, 4),
        Schedule.stepDecay(1, 1.5, 3),
        Schedule.cosine(1, 0.1, 12),
        Schedule.linear(1, 0.2, 20).warmUp(5),
        Schedule.cosine(1, 0.1, 12).warmUp(30),
        Schedule.cosine(1, 0.1, 12).times(3));
  }

  @ParameterizedTest
  @MethodSource("all")
  void extremesAreThoseOfTheValues(Schedule schedule) {
    for (long from = 0; from < 25; from++) {
      for (long to = from; to < 25; to++) {
        double[] values = LongStream.rangeClosed(from, to).mapToDouble(schedule::at).toArray();
        assertEquals(
            java.util.Arrays.stream(values).max().orElseThrow(), schedule.largest(from, to));
        assertEquals(java.util.Arrays.stream(values).min().orElseThrow(), schedule.least(from, to));
      }
    }
  }

  @Test
  void valuesAtKnownSteps() {
    Schedule abadi = Schedule.linear(0.1, 0.052, 10);
    assertEquals(0.1, abadi.at(0));
    assertEquals(0.076, abadi.at(5), 1e-15);
    assertEquals(0.052, abadi.at(10));
    assertEquals(0.052, abadi.at(1L << 60));
    assertEquals(0.25, Schedule.stepDecay(1, 0.5, 4).at(11));
    assertEquals(0.55, Schedule.cosine(1, 0.1, 12).at(6), 1e-15);
    assertEquals(0.1, Schedule.cosine(1, 0.1, 12).at(13));
    assertEquals(0.5, Schedule.constant(2).warmUp(4).at(0));
    assertEquals(2, Schedule.constant(2).warmUp(4).at(3));
    assertEquals(new Schedule.Constant(6), Schedule.constant(2).times(3));
  }

  @Test
  void refusals() {
    assertEquals(
        "value of a schedule must be finite. Provided value: NaN",
        assertThrows(IllegalArgumentException.class, () -> Schedule.constant(Double.NaN))
            .getMessage());
    assertEquals(
        "step at which the floor is reached must be at least 1. Provided value: 0",
        assertThrows(IllegalArgumentException.class, () -> Schedule.linear(1, 0, 0)).getMessage());
    assertEquals(
        "warm-up steps must be in [1, 16777216]. Provided value: 0",
        assertThrows(IllegalArgumentException.class, () -> Schedule.constant(1).warmUp(0))
            .getMessage());
  }
}
