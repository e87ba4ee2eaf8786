package dev.discreet.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.core.train.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunObserverTest {
  @Test
  void theOperatorHearsHowManyUnitsCountedAsZeroAndWhenItIsNearlyAll() {
    RunObserver heard = new RunObserver();
    heard.on(new Event.RefusedUnits(1, 1, 1000));
    heard.on(new Event.RefusedUnits(3, 4, 3000));
    assertEquals(
        List.of(
            "4 of about 3,000 times a unit counted as zero, whole or in part: a row of it could not"
                + " be used, or its gradient was not finite (outside the guarantee, for your eyes)"),
        List.copyOf(heard.warnings()));
    heard.on(new Event.RefusedUnits(4, 3950, 4000));
    assertEquals(
        List.of(
            "3,950 of about 4,000 times a unit counted as zero, whole or in part: a row of it could"
                + " not be used, or its gradient was not finite. That is nearly always: is the data"
                + " still there, and the learning rate right? (outside the guarantee, for your"
                + " eyes)"),
        List.copyOf(heard.warnings()));
  }
}
