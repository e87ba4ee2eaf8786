package dev.discreet.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.ClippingRule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AugmentationTest {
  private static final Shape SHAPE = new Shape(3, 4, 1);
  private static final float[] IMAGE = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

  private static float[] view(Augmentation by, long choice, int view) {
    float[] to = new float[14];
    by.view(choice, 0, view, SHAPE, IMAGE, to, 1);
    assertEquals(0, to[0] + to[13]);
    float[] seen = new float[12];
    System.arraycopy(to, 1, seen, 0, 12);
    return seen;
  }

  @Test
  void theFirstViewIsTheImageAndTheSecondItsMirrorImage() {
    Augmentation flip = Augmentation.parse("flip", 2);
    assertArrayEquals(IMAGE, view(flip, 7, 0));
    assertArrayEquals(new float[] {4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9}, view(flip, 7, 1));
    assertArrayEquals(IMAGE, view(Augmentation.parse("flip,crop(2),shift(2)", 9), 7, 0));
  }

  @Test
  void channelsStayTogether() {
    float[] image = {1, 2, 3, 4, 5, 6, 7, 8};
    float[] to = new float[8];
    Augmentation.parse("flip", 2).view(1, 0, 1, new Shape(2, 2, 2), image, to, 0);
    assertArrayEquals(new float[] {3, 4, 1, 2, 7, 8, 5, 6}, to);
  }

  /** By its definition, pixel by pixel; and each of the movements is as likely as the others. */
  @ParameterizedTest
  @CsvSource({"crop, 2", "shift, 2", "crop, 1", "shift, 1"})
  void movesByUpToSoManyPixels(String kind, int most) {
    // Two movements may look the same.
    Map<String, Integer> looks = new HashMap<>();
    for (int dy = -most; dy <= most; dy++) {
      for (int dx = -most; dx <= most; dx++) {
        float[] moved = new float[12];
        for (int i = 0; i < 12; i++) {
          int y = i / 4 + dy;
          int x = i % 4 + dx;
          if (kind.equals("crop")) {
            y = y < 0 ? -y : y > 2 ? 4 - y : y;
            x = x < 0 ? -x : x > 3 ? 6 - x : x;
          }
          boolean inside = y >= 0 && y < 3 && x >= 0 && x < 4;
          moved[i] = inside ? IMAGE[4 * y + x] : 0;
        }
        looks.merge(Arrays.toString(moved), 1, Integer::sum);
      }
    }
    Augmentation by = Augmentation.parse(kind + "(" + most + ")", 3);
    Map<String, Integer> seen = new HashMap<>();
    SplittableRandom random = new SplittableRandom(3);
    int draws = 20_000;
    for (int i = 0; i < draws; i++) {
      seen.merge(Arrays.toString(view(by, random.nextLong(), 1 + i % 2)), 1, Integer::sum);
    }
    assertEquals(looks.keySet(), seen.keySet());
    looks.forEach(
        (look, movements) -> {
          double expected = (double) draws * movements / Math.pow(2 * most + 1, 2);
          // A fixed seed: six deviations are only there to show a law that is wrong.
          assertEquals(expected, seen.get(look), 6 * Math.sqrt(expected));
        });
  }

  @Test
  void viewsOfAnExampleAreDrawnApart() {
    Augmentation by = Augmentation.parse("shift(2)", 1024);
    Map<String, Integer> seen = new HashMap<>();
    for (int v = 1; v < 1024; v++) {
      seen.merge(Arrays.toString(view(by, 5, v)), 1, Integer::sum);
    }
    assertEquals(25, seen.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"flip", "crop(4)", "shift(2)", "flip,crop(4),shift(2)", "crop(64)"})
  void readsWhatItWrites(String text) {
    assertEquals(text, Augmentation.parse(text, 1).toString());
    assertEquals(text, Augmentation.parse(text.toUpperCase().replace(",", " , "), 1).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "flip | 0 | views must be in [1, 1024]. Provided value: 0",
        "crop(2) | 1025 | views must be in [1, 1024]. Provided value: 1025",
        "flip | 3 | views must be at most 2 where images are only mirrored. Provided value: 3",
        "crop(0) | 2 | crop must be in [1, 64]. Provided value: 0",
        "shift(65) | 2 | shift must be in [1, 64]. Provided value: 65",
        "turn(3) | 2 | augment must be some of flip, crop(N) and shift(N)",
        "flip,flip | 2 | augment must be some of flip, crop(N) and shift(N)",
        "crop(2),crop(3) | 2 | augment must be some of flip, crop(N) and shift(N)",
        "'' | 2 | augment must be some of flip, crop(N) and shift(N)",
      })
  void refuses(String kinds, int views, String message) {
    String found =
        assertThrows(IllegalArgumentException.class, () -> Augmentation.parse(kinds, views))
            .getMessage();
    assertTrue(found.startsWith(message), found);
  }

  @Test
  void nothingMakesNoViews() {
    assertEquals(
        "views must be 1 where nothing makes others. Provided value: 2",
        assertThrows(IllegalArgumentException.class, () -> new Augmentation(false, 0, 0, 2))
            .getMessage());
    UnitRule estimated = new UnitRule(new ClippingRule.Estimated(5), new int[1], 0, new boolean[1]);
    assertEquals(
        "views must be 1 where norms are estimated. Provided value: 2",
        assertThrows(
                IllegalArgumentException.class, () -> estimated.with(Augmentation.parse("flip", 2)))
            .getMessage());
  }
}
