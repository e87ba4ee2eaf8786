package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.discreet.recipe.Recipe;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrialTextTest {
  private enum Shade {
    LIGHT_GREY
  }

  private interface Form {}

  private record Disc(double radius) implements Form {}

  private record Point() implements Form {}

  private record Place(int x, int y) {}

  private record Alone(String name) {}

  private record LongWalk(
      double rate,
      List<Double> steps,
      Shade shade,
      Place place,
      Alone single,
      Form form,
      Optional<Form> other,
      Recipe recipe,
      boolean lateToo,
      long seed)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      return Outcome.of("value", 0);
    }
  }

  private static LongWalk walk(Form form, Optional<Form> other) {
    return new LongWalk(
        1e-5,
        List.of(1.0, 0.1),
        Shade.LIGHT_GREY,
        new Place(1, 2),
        new Alone("a, b"),
        form,
        other,
        Recipe.of().with("epsilon", "3.0").with("data", "mnist"),
        false,
        7);
  }

  @Test
  void aTextIsMadeOfAllComponents() {
    assertEquals(
        "long walk: rate = 1e-5, steps = [1, 0.1], shade = light grey, place = (x = 1, y = 2),"
            + " single = a, b, form = disc 3, recipe = data=mnist epsilon=3, late too = false, seed = 7",
        walk(new Disc(3), Optional.empty()).text());
  }

  /** Where one of several kinds may stand, its name tells which. */
  @Test
  void kindsHaveNames() {
    String text = walk(new Point(), Optional.of(new Disc(0.5))).text();
    assertEquals(true, text.contains(", form = point, other = disc 0.5, recipe"), text);
  }

  private record Odd(Object what) implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      return Outcome.of("value", 0);
    }
  }

  @Test
  void whatHasNoTextOfItsOwnIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Odd(new Object()).text());
    assertThrows(IllegalArgumentException.class, () -> new Odd(new int[] {1}).text());
    assertThrows(IllegalArgumentException.class, () -> new Odd("two\nlines").text());
    // A record of another room.
    Object foreign = new dev.discreet.report.LinePlot.Point(1, 2);
    assertThrows(IllegalArgumentException.class, () -> new Odd(foreign).text());
  }
}
