package dev.discreet.data.generate;

import java.util.Arrays;

/**
 * How a digit is written: strokes through points, in hundredths of a box, y downwards. The pen
 * bends smoothly through a point, except through one marked {@code !}, where it turns; {@code /}
 * lifts it.
 *
 * @param x of all points of all strokes
 * @param first where each stroke begins, and one more: how many points there are
 */
record DigitStrokes(double[] x, double[] y, boolean[] corner, int[] first) {

  /** Several ways to write each digit. */
  private static final String[][] TEXTS = {
    {
      "50,5 24,22 15,52 26,86 51,95 77,82 86,50 75,17 50,5",
      "64,10 42,5 24,30 22,66 40,93 64,88 79,58 74,22 56,7 40,12",
      "52,6 76,20 84,52 72,86 48,95 24,82 16,48 28,16 56,4",
    },
    {
      "51,5 50,50 49,95",
      "62,5 51,50 42,95",
      "30,27 44,17 56,5! 54,50 52,95",
      "32,24 52,6! 52,94! / 28,95 52,94 76,94",
    },
    {
      "20,28 32,9 56,4 76,20 70,45 45,70 17,94! 50,93 84,93",
      "20,26 38,6 64,8 75,30 60,60 32,88 20,86 26,74 44,80 62,92 86,86",
      "22,20 44,6 70,12 74,36 50,64 20,92! 52,90 80,95",
    },
    {
      "22,15 48,4 74,16 68,38 42,47! 70,54 80,74 60,94 34,95 16,83",
      "20,8 48,7 77,8! 46,42! 72,50 80,72 62,93 36,96 17,84",
      "24,18 44,5 70,12 70,34 50,47 40,46 52,45 74,58 76,80 52,96 20,86",
    },
    {
      "27,7 21,34 20,53! 50,54 83,50! / 68,10 65,52 62,95",
      "63,5 38,38 15,66! 50,66 86,65! / 63,5 63,50 62,95",
      "28,8 24,38 38,54 60,48 72,10! 68,54 64,95",
    },
    {
      "77,7 52,8 30,8! 27,26 25,45! 52,38 78,54 76,80 52,95 20,87",
      "30,7 27,25 25,43! 50,38 76,54 75,80 50,95 20,86 / 30,7 55,7 82,5",
      "75,10 46,6 27,22 36,42 64,54 75,74 56,94 22,88",
    },
    {
      "69,6 42,26 24,58 30,88 54,95 75,78 66,57 42,58 25,76",
      "54,4 34,34 21,68 34,93 62,91 74,70 58,54 34,62 23,76",
      "72,14 50,6 26,32 20,66 38,94 66,88 74,66 52,50 26,62",
    },
    {
      "18,10 50,10 80,9! 60,50 42,95",
      "18,10 50,10 80,9! 62,48 46,95 / 36,52 54,50 74,50",
      "20,24 21,9! 50,10 78,8! 62,36 52,66 50,95",
      "16,16 34,8 54,14 80,8! 58,46 40,95",
    },
    {
      "70,18 48,5 28,20 40,42 66,58 74,80 50,95 26,82 34,58 62,40 72,20",
      "50,46 28,30 34,8 60,5 74,24 52,46 24,66 28,92 62,96 78,74 50,46",
      "52,5 28,16 36,40 64,58 74,80 48,96 24,80 38,56 66,38 72,16 50,5",
    },
    {
      "74,24 52,5 28,18 28,42 52,50 72,28 75,20! 71,58 68,95",
      "73,24 50,5 26,22 32,46 58,46 74,22! 75,58 60,90 32,94",
      "72,12 44,6 24,28 38,50 62,42 74,14! 66,54 48,95",
    },
  };

  private static final DigitStrokes[][] DIGITS =
      Arrays.stream(TEXTS)
          .map(
              styles -> Arrays.stream(styles).map(DigitStrokes::parse).toArray(DigitStrokes[]::new))
          .toArray(DigitStrokes[][]::new);

  static int styles(int digit) {
    return DIGITS[digit].length;
  }

  static DigitStrokes of(int digit, int style) {
    return DIGITS[digit][style];
  }

  int points() {
    return x.length;
  }

  static DigitStrokes parse(String text) {
    String[] strokes = text.split("/");
    int points = (int) text.chars().filter(c -> c == ',').count();
    double[] x = new double[points];
    double[] y = new double[points];
    boolean[] corner = new boolean[points];
    int[] first = new int[strokes.length + 1];
    int at = 0;
    for (int s = 0; s < strokes.length; s++) {
      for (String point : strokes[s].strip().split(" +")) {
        String[] sides = point.replace("!", "").split(",");
        x[at] = Integer.parseInt(sides[0]) / 100.0;
        y[at] = Integer.parseInt(sides[1]) / 100.0;
        corner[at++] = point.endsWith("!");
      }
      first[s + 1] = at;
    }
    return new DigitStrokes(x, y, corner, first);
  }
}
