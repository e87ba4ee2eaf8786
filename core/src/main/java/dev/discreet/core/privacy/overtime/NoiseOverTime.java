package dev.discreet.core.privacy.overtime;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Noise that steps share: a step takes part of the noise of the steps before it away again, so that
 * the sum of many gradients, which is what moves the parameters, has less noise than independent
 * noise would leave. It is found for the run's own number of steps: {@link SharedNoise}.
 *
 * <pre>{@code
 * PrivacyPlan plan =
 *     PrivacyPlan.target(3.0, 1e-5)
 *         .lotSize(600)
 *         .epochs(20)
 *         .clip(1.0)
 *         .noiseOverTime(NoiseOverTime.banded(8))
 *         .build();
 * }</pre>
 *
 * @param bands how many steps in a row have noise in common; 1 is independent noise
 */
@PublicApi
public record NoiseOverTime(int bands) {
  /** More would take long to find and much memory to keep. */
  public static final int MOST_BANDS = 4096;

  private static final Pattern TEXT = Pattern.compile("banded\\((\\d{1,6})\\)");

  /** Refuses a number outside [1, 4096]. */
  public NoiseOverTime {
    Check.that(
        bands >= 1 && bands <= MOST_BANDS,
        "bands of noise over time",
        "in [1, " + MOST_BANDS + "]",
        bands);
  }

  /**
   * Noise of which so many steps in a row have some in common.
   *
   * @param bands how many, in [1, 4096]
   * @return that noise
   */
  public static NoiseOverTime banded(int bands) {
    return new NoiseOverTime(bands);
  }

  /**
   * Reads what {@link #toString} writes.
   *
   * @param text {@code banded(B)}
   * @return that noise
   */
  public static NoiseOverTime parse(String text) {
    Matcher found = TEXT.matcher(text.strip());
    Check.that(
        found.matches(), "noise over time", "banded(B), with B in [1, " + MOST_BANDS + "]", text);
    return banded(Integer.parseInt(found.group(1)));
  }

  @Override
  public String toString() {
    return "banded(" + bands + ")";
  }
}
