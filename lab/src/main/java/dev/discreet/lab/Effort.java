package dev.discreet.lab;

import dev.discreet.accounting.Check;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How much to run.
 *
 * @param quick a taste of each experiment, in seconds, on one seed; its pages say so
 * @param seeds how many for every setting; empty for as many as the experiment thinks right
 * @param keptToo for pages: where fewer seeds were asked for than the experiment thinks right, the
 *     others are shown too if they are kept
 */
public record Effort(boolean quick, OptionalInt seeds, boolean keptToo) {
  public Effort {
    seeds.ifPresent(n -> Check.that(n >= 1 && n <= 1000, "seeds", "in [1, 1000]", n));
  }

  public Effort(boolean quick, OptionalInt seeds) {
    this(quick, seeds, false);
  }

  Effort forPages() {
    return new Effort(quick, seeds, true);
  }

  public static Effort full() {
    return new Effort(false, OptionalInt.empty());
  }

  /** Seeds 1, 2, …: as many as told, else one if quick, else {@code otherwise}. */
  public IntStream seeds(int otherwise) {
    int right = quick ? 1 : otherwise;
    int asked = seeds.orElse(right);
    return IntStream.rangeClosed(1, keptToo ? Math.max(asked, right) : asked);
  }

  public <T> T pick(T whenQuick, T whenFull) {
    return quick ? whenQuick : whenFull;
  }
}
