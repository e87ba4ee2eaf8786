package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Public figures to normalise by: a value v in [0, 1] becomes (v − mean)/deviation of its channel.
 *
 * @param mean one a channel; empty to leave values in [0, 1]
 * @param deviation beside the mean
 */
public record PixelScale(List<Double> mean, List<Double> deviation) {
  /** Pixels stay in [0, 1]. */
  public static final PixelScale NONE = new PixelScale(List.of(), List.of());

  /**
   * Checks the figures.
   *
   * @param mean finite
   * @param deviation finite and greater than 0, as many as there are means
   */
  public PixelScale {
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
    Check.that(
        mean.size() == deviation.size(),
        "mean and deviation",
        "given together, one a channel",
        mean.size() + " and " + deviation.size());
    for (int c = 0; c < mean.size(); c++) {
      Check.that(Double.isFinite(mean.get(c)), "mean", "finite", mean.get(c));
      Check.that(
          deviation.get(c) > 0 && Double.isFinite(deviation.get(c)),
          "deviation",
          "finite and greater than 0",
          deviation.get(c));
    }
  }

  /** As a description of data shows them: none where values stay in [0, 1]. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    if (!mean.isEmpty()) {
      facts.put("mean", joined(mean));
      facts.put("deviation", joined(deviation));
    }
    return facts;
  }

  private static String joined(List<Double> values) {
    return values.stream().map(Digits::shortest).collect(Collectors.joining(", "));
  }

  /**
   * Refuses images of another number of channels.
   *
   * @param channels of the images
   */
  public void check(int channels) {
    Check.that(
        mean.isEmpty() || mean.size() == channels,
        "mean and deviation",
        "one for each of " + channels + " channels",
        mean.size() + " and " + deviation.size());
  }

  /**
   * What becomes of a value.
   *
   * @param value in [0, 1]
   * @param channel whose figures apply
   * @return the normalised value
   */
  public float apply(double value, int channel) {
    return (float) (mean.isEmpty() ? value : (value - mean.get(channel)) / deviation.get(channel));
  }

  /**
   * What becomes of each byte, where v stands for v/255.
   *
   * @param channels of the images
   * @return a table for each channel, or one where all channels share it
   */
  public float[][] ofBytes(int channels) {
    return ofBytes(channels, new Column.Bounded("byte", 0, 255));
  }

  /**
   * What becomes of each byte, where v is first scaled by bounds.
   *
   * @param channels of the images
   * @param bounds of the bytes
   * @return a table for each channel, or one where all channels share it
   */
  public float[][] ofBytes(int channels, Column.Bounded bounds) {
    check(channels);
    float[][] value = new float[Math.max(1, mean.size())][256];
    for (int c = 0; c < value.length; c++) {
      for (int v = 0; v < 256; v++) {
        value[c][v] = apply(bounds.scaled(v), c);
      }
    }
    return value;
  }
}
