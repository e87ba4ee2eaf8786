package dev.discreet.data.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.Task;
import dev.discreet.data.DataSet;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GeneratedSetsTest {
  /**
   * Seed 0 in the usual sizes. Published figures depend on these sets: a new print is a new set.
   */
  private static final Map<String, String> PRINTS =
      Map.of(
          "digits", "2263875b55db9d4a784f58505af32df7a687ebdc6a2a84f3ecee644d3f69f97c",
          "linear-1d", "54813346a52a96950e2e8be197c47f6559ceb05795df204a4a16e1d53e4ed736",
          "linear-2d", "4f21725a7d787d8f28c6178330e0bf17a900f957383affa5c3b850240e0166b9",
          "gaussians", "68f161aa9f36ad010e13b10f0466f24e08043eda4572a1a9747b0f781446fb31",
          "census", "04096544615545f3b93977771ab6219707e0d74a3d996ae46118fddaf481a48b",
          "census-50k", "398dc14b07ac15617999850e86e6f61c2d8579d3c489112f32980bfa0dbab388");

  static Iterable<String> names() {
    return GeneratedSets.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void theUsualSetIsTheSameEverywhere(String name) {
    DataSet set = GeneratedSets.make(name, 0);
    assertEquals(PRINTS.get(name), Prints.of(set), name);
    GeneratedSet description = GeneratedSets.describe(name);
    assertEquals(description.train(), set.train().examples().size());
    assertEquals(description.test(), set.test().orElseThrow().examples().size());
    assertEquals(description.task(), set.task());
    assertEquals(name, set.name());
  }

  @ParameterizedTest
  @MethodSource("names")
  void itDependsOnTheSeedButNotOnThreads(String name)
      throws InterruptedException, ExecutionException {
    String print = Prints.of(GeneratedSets.make(name, 7, 5_000, 20));
    assertNotEquals(print, Prints.of(GeneratedSets.make(name, 8, 5_000, 20)));
    for (int threads : new int[] {1, 5}) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      try {
        assertEquals(
            print,
            pool.submit(() -> Prints.of(GeneratedSets.make(name, 7, 5_000, 20))).get(),
            name);
      } finally {
        pool.shutdown();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aLargerSetBeginsAsASmallerOne(String name) {
    DataSet small = GeneratedSets.make(name, 3, 40, 0);
    assertTrue(small.test().isEmpty());
    Examples large = GeneratedSets.make(name, 3, 5_000, 0).train().examples();
    assertEquals(Prints.of(small.train().examples()), Prints.of(new First(large, 40)));
  }

  /** Rows to test on are drawn apart, and only they are public. */
  @ParameterizedTest
  @MethodSource("names")
  void partsAreKeptApart(String name) {
    DataSet set = GeneratedSets.make(name, 0, 50, 50);
    DataSet.Part test = set.test().orElseThrow();
    assertNotEquals(Prints.of(set.train().examples()), Prints.of(test.examples()));
    assertFalse(set.train().isPublic());
    assertTrue(test.isPublic());
    assertEquals(50, set.train().units().count());
    assertEquals(50, test.units().count());
  }

  @ParameterizedTest
  @MethodSource("names")
  void targetsAreWhatTheTaskSays(String name) {
    DataSet set = GeneratedSets.make(name, 5, 5_000, 0);
    Examples examples = set.train().examples();
    assertEquals(GeneratedSets.describe(name).input(), examples.input());
    float[] target = new float[1];
    int[] count = new int[10];
    for (int i = 0; i < examples.size(); i++) {
      examples.target(i, target, 0);
      if (set.task() instanceof Task.Classes classes) {
        assertTrue(target[0] == (int) target[0] && target[0] < classes.names().size());
        count[(int) target[0]]++;
      } else {
        assertTrue(target[0] >= 0 && target[0] <= 1, name + " " + target[0]);
      }
    }
    if (set.task() instanceof Task.Classes classes) {
      for (int c = 0; c < classes.names().size(); c++) {
        assertTrue(count[c] > 400, name + " class " + c + ": " + count[c]);
      }
    }
  }

  @Test
  void descriptionsAreOneLine() {
    assertEquals(
        "digits: handwritten-like digits drawn from strokes; 20000 + 4000 rows of 28x28x1,"
            + " 10 classes, mean 0.113 and deviation 0.239",
        GeneratedSets.describe("digits").line());
    assertTrue(GeneratedSets.describe("linear-1d").line().endsWith("rows of 1, y in -100..100"));
    assertTrue(GeneratedSets.describe("census").columns().contains("education=0..20"));
  }

  @Test
  void badInputIsRefused() {
    assertEquals(
        "generated set must be one of " + GeneratedSets.names() + ". Provided value: digit",
        assertThrows(IllegalArgumentException.class, () -> GeneratedSets.make("digit", 0))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> GeneratedSets.make("digits", 0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> GeneratedSets.make("digits", 0, 1, -1));
    assertThrows(
        IllegalArgumentException.class,
        () -> GeneratedSets.make("digits", 0, Integer.MAX_VALUE, 1));
    assertThrows(IllegalArgumentException.class, () -> new Gaussians(1, 2, 3));
    assertThrows(IllegalArgumentException.class, () -> new Gaussians(2, 1, 3));
    assertThrows(IllegalArgumentException.class, () -> new Gaussians(2, 2, Double.NaN));
  }

  /** The first rows of others. */
  private record First(Examples all, int size) implements Examples {
    @Override
    public dev.discreet.core.nn.Shape input() {
      return all.input();
    }

    @Override
    public int targets() {
      return all.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      all.input(example, to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      all.target(example, to, at);
    }
  }
}
