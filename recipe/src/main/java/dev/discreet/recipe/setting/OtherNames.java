package dev.discreet.recipe.setting;

import dev.discreet.data.NearestName;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What other tools call a setting, to tell whoever writes that name which one is meant. */
public final class OtherNames {
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

  private OtherNames() {}

  /** From lines of the form {@code name: other another}, the name for each of the others. */
  public static Map<String, String> words(String... lines) {
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
}
