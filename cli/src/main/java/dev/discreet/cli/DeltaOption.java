package dev.discreet.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** The failure probability of a question. A verb decides whether it may be missing. */
final class DeltaOption {
  static final String NAME = "--delta";

  @Option(
      names = NAME,
      paramLabel = "D",
      converter = Quantity.Delta.class,
      description = "Failure probability that goes with epsilon, in [0, 1).")
  private Double delta;

  /** Null where it is missing. */
  Double delta() {
    return delta;
  }

  List<String> missing() {
    return delta == null ? List.of(NAME + " D") : List.of();
  }
}
