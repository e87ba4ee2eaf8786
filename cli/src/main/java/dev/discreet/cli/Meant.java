package dev.discreet.cli;

import dev.discreet.data.NearestName;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/**
 * What was meant by a word that is not known: what other tools call by it, else what is spelled
 * nearly so, else nothing.
 */
public final class Meant {
  private static final Map<String, String> OPTIONS =
      words(
          "learning-rate: lr eta step-size",
          "lot-size: batch batch-size lot",
          "clip: max-grad-norm clip-norm l2-norm-clip clipping-norm clipping-threshold",
          "noise-multiplier: sigma noise noise-level",
          "epsilon: eps budget privacy privacy-budget target-epsilon",
          "delta: target-delta",
          "steps: iterations iters max-steps num-steps",
          "epochs: num-epochs max-epochs",
          "model: network net architecture",
          "data: dataset file csv table path input-file train-data",
          "out: output output-dir out-dir folder save",
          "label: target y response label-column",
          "column: feature features x",
          "unit-column: id-column user-column person-column user-id group-column",
          "bounds: range min max lower upper low high",
          "quantile: percentile q",
          "test-share: test-size test-split validation-split");

  private static final Map<String, String> VERBS =
      words(
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
          "count: size rows",
          "histogram: hist distribution");

  private Meant() {}

  private static Map<String, String> words(String... lines) {
    Map<String, String> words = new HashMap<>();
    for (String line : lines) {
      String[] parts = line.split(": ");
      Arrays.stream(parts[1].split(" ")).forEach(word -> words.put(word, parts[0]));
    }
    return Map.copyOf(words);
  }

  /** An option or key, of those that are known here. */
  public static Optional<String> option(String typed, Collection<String> known) {
    String dashes = typed.startsWith("--") ? "--" : "";
    String plain = typed.substring(dashes.length()).replace('_', '-');
    return Optional.ofNullable(OPTIONS.get(plain))
        .map(dashes::concat)
        .filter(known::contains)
        .or(() -> NearestName.to(dashes + plain, known));
  }

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
