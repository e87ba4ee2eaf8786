package dev.discreet.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitTest {
  private static final Task TASK = new Task.Classes(List.of("no", "yes"));

  /** Rows with these values as their input; a value's fingerprint is a function of it. */
  private static Rows rows(int[] values, int[] unitOf) {
    float[] inputs = new float[values.length];
    long[] prints = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      inputs[i] = values[i];
      prints[i] = 1_000_003L * (unitOf == null ? values[i] : unitOf[i]) + 17;
    }
    Examples examples = Examples.of(Shape.vector(1), inputs, 1, new float[values.length]);
    return new Rows(examples, TASK, unitOf, prints);
  }

  private static Split.Parts split(Rows rows, double testShare) {
    return Split.of(rows, testShare, Neighbouring.ADD_REMOVE, false);
  }

  private static List<Integer> values(DataSet.Part part) {
    List<Integer> values = new ArrayList<>();
    float[] to = new float[1];
    for (int i = 0; i < part.examples().size(); i++) {
      part.examples().input(i, to, 0);
      values.add((int) to[0]);
    }
    return values;
  }

  private static Map<Integer, Integer> counts(DataSet.Part part) {
    Map<Integer, Integer> counts = new TreeMap<>();
    values(part).forEach(value -> counts.merge(value, 1, Integer::sum));
    return counts;
  }

  @Test
  void everyRowIsOnOneSideAndNeitherIsPublic() {
    Split.Parts parts = split(rows(IntStream.range(0, 10_000).toArray(), null), 0.2);
    Set<Integer> all = new HashSet<>(values(parts.train()));
    all.addAll(values(parts.test().get()));
    assertEquals(10_000, all.size());
    assertEquals(10_000, parts.train().units().count() + parts.test().get().units().count());
    // Seven deviations of the binomial, and no luck in it: the split is always the same.
    assertEquals(2_000, parts.test().get().examples().size(), 7 * 40);
    assertFalse(parts.train().isPublic());
    assertFalse(parts.test().get().isPublic());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void takingARowAwayMovesNoOther(long seed) {
    Random random = new Random(seed);
    // Few values, so that many rows are copies of others.
    int[] values = random.ints(200, 0, seed % 2 == 0 ? 1_000_000 : 12).toArray();
    Split.Parts before = split(rows(values, null), 0.3);
    for (int gone = 0; gone < values.length; gone++) {
      int row = gone;
      int[] fewer = IntStream.range(0, 200).filter(i -> i != row).map(i -> values[i]).toArray();
      Split.Parts after = split(rows(fewer, null), 0.3);
      assertEquals(
          1,
          distance(counts(before.train()), counts(after.train()))
              + distance(counts(before.test().get()), counts(after.test().get())));
    }
  }

  private static int distance(Map<Integer, Integer> a, Map<Integer, Integer> b) {
    Map<Integer, Integer> difference = new HashMap<>(a);
    b.forEach((value, count) -> difference.merge(value, -count, Integer::sum));
    return difference.values().stream().mapToInt(Math::abs).sum();
  }

  @Test
  void theOrderOfRowsDoesNotMatter() {
    int[] values = new Random(5).ints(500, 0, 50).toArray();
    int[] backwards = IntStream.range(0, 500).map(i -> values[499 - i]).toArray();
    assertEquals(
        counts(split(rows(values, null), 0.2).test().get()),
        counts(split(rows(backwards, null), 0.2).test().get()));
  }

  @Test
  void copiesAreSharedOutToo() {
    // With the content alone as the lot, all thousand would be on one side.
    Split.Parts parts = split(rows(new int[1_000], null), 0.2);
    assertEquals(200, parts.test().get().examples().size(), 7 * 13);
  }

  @Test
  void aUnitGoesWhole() {
    Random random = new Random(9);
    int[] unitOf = IntStream.concat(IntStream.range(0, 60), random.ints(340, 0, 60)).toArray();
    int[] values = IntStream.range(0, 400).toArray();
    Split.Parts parts = split(rows(values, unitOf), 0.25);
    Set<Integer> seen = new HashSet<>();
    int units = 0;
    for (DataSet.Part part : List.of(parts.train(), parts.test().get())) {
      List<Integer> there = values(part);
      units += part.units().count();
      for (int unit = 0; unit < part.units().count(); unit++) {
        int owner = unitOf[there.get(part.units().example(unit, 0))];
        assertTrue(seen.add(owner), "unit " + owner + " on both sides or twice on one");
        int size = part.units().size(unit);
        assertEquals(Arrays.stream(unitOf).filter(u -> u == owner).count(), size);
        for (int i = 0; i < size; i++) {
          assertEquals(owner, unitOf[there.get(part.units().example(unit, i))]);
        }
      }
    }
    assertEquals(60, units);
    assertEquals(60, Split.whole(rows(values, unitOf), true).units().count());
  }

  @Test
  void aUnitKeepsItsSideWhenAnotherGoes() {
    int[] unitOf = IntStream.range(0, 90).map(i -> i / 3).toArray();
    int[] values = IntStream.range(0, 90).toArray();
    Set<Integer> before = new HashSet<>(values(split(rows(values, unitOf), 0.3).test().get()));
    Rows all = rows(values, unitOf);
    // Unit 0 goes; the others are numbered anew, with their own fingerprints.
    Rows fewer =
        new Rows(
            rows(Arrays.copyOfRange(values, 3, 90), null).examples(),
            TASK,
            IntStream.range(0, 87).map(i -> i / 3).toArray(),
            Arrays.copyOfRange(all.fingerprints(), 3, 90));
    Set<Integer> after = new HashSet<>(values(split(fewer, 0.3).test().get()));
    before.removeAll(Set.of(0, 1, 2));
    assertEquals(before, after);
  }

  @Test
  void aSideWithoutUnitsIsRefused() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> split(rows(new int[] {7}, null), 0.2))
            .getMessage();
    assertTrue(message.contains("too few"), message);
    assertTrue(message.endsWith("Provided value: 0.2"), message);
    assertThrows(
        IllegalArgumentException.class, () -> split(rows(new int[] {1, 2, 3}, new int[3]), 0.5));
    assertThrows(IllegalArgumentException.class, () -> Split.whole(rows(new int[0], null), false));
  }

  @Test
  void nothingIsHeldOutWhereNothingIsAskedFor() {
    Split.Parts parts = split(rows(new int[] {7}, null), 0);
    assertTrue(parts.test().isEmpty());
    assertEquals(1, parts.train().examples().size());
  }

  @Test
  void fingerprintsOfOneUnitMustAgree() {
    Rows good = rows(new int[] {1, 2}, new int[] {0, 0});
    Rows bad = new Rows(good.examples(), TASK, good.unitOf(), new long[] {1, 2});
    assertThrows(IllegalArgumentException.class, () -> split(bad, 0.5));
  }
}
