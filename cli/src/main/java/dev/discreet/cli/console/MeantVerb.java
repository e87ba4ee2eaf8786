package dev.discreet.cli.console;

import dev.discreet.data.NearestName;
import dev.discreet.recipe.setting.OtherNames;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/**
 * What was meant by a word that is not known: what other tools call by it, else what is spelled
 * nearly so, else nothing.
 */
final class MeantVerb {
  private static final Map<String, String> VERBS =
      OtherNames.words(
          "train: fit learn",
          "evaluate: eval score test",
          "predict: infer classify",
          "regress: regression linear-regression logistic-regression",
          "tune: search sweep grid-search",
          "epsilon: privacy budget cost account eps",
          "calibrate: noise sigma",
          "reproduce: experiment replicate",
          "bench: benchmark",
          "data: dataset datasets",
          "mean: average avg",
          "quantile --quantile 0.5: median",
          "quantile: percentile",
          "sum: total",
          "variance: var spread",
          "ratio: share proportion rate",
          "count: size rows",
          "histogram: hist distribution");

  private MeantVerb() {}

  /** A verb of this command, or of one of its verbs, with the options that it takes. */
  static Optional<String> verb(String typed, CommandLine command) {
    String meant = VERBS.getOrDefault(typed, typed);
    String verb = meant.split(" ")[0];
    if (command.getSubcommands().containsKey(verb)) {
      return Optional.of(meant);
    }
    return command.getSubcommands().entrySet().stream()
        .filter(each -> each.getValue().getSubcommands().containsKey(verb))
        .map(each -> each.getKey() + " " + meant)
        .findFirst()
        .or(() -> NearestName.to(typed, command.getSubcommands().keySet()));
  }
}
