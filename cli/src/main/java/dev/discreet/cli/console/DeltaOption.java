package dev.discreet.cli.console;

import dev.discreet.accounting.calibration.DefaultDelta;
import java.util.List;
import picocli.CommandLine.Option;

/** The failure probability of a question. A verb decides whether it may be missing. */
public final class DeltaOption {
  public static final String NAME = "--delta";

  @Option(
      names = NAME,
      paramLabel = "D",
      converter = Quantity.Delta.class,
      description =
          "Failure probability that goes with epsilon, in [0, 1). Where the number of units is"
              + " known it may be left out: "
              + DefaultDelta.WORDS
              + ".")
  private Double delta;

  /** Null where it is missing. */
  public Double delta() {
    return delta;
  }

  /**
   * δ, or where it is missing the default for the public number of units. Null where that number is
   * 0, which stands for unknown.
   */
  public Double delta(long units) {
    return delta == null && units > 0 ? Double.valueOf(DefaultDelta.of(units)) : delta;
  }

  public List<String> missing() {
    return delta == null ? List.of(NAME + " D") : List.of();
  }
}
