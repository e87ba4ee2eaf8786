package dev.discreet.cli.train;

import dev.discreet.data.DataOptions;
import java.util.List;
import java.util.function.Consumer;

/** What settings say about data. */
final class DataChoices {
  private DataChoices() {}

  static DataOptions options(Choices choices, Consumer<String> progress) {
    return new DataOptions(
        choices.get(Settings.LABELS),
        choices.get(Settings.LABEL),
        choices.get(Settings.COLUMN).orElse(List.of()),
        choices.get(Settings.UNIT_COLUMN),
        choices.get(Settings.UNIT_MAP),
        choices.get(Settings.BOUNDS),
        choices.get(Settings.MEAN).orElse(List.of()),
        choices.get(Settings.DEVIATION).orElse(List.of()),
        choices.get(Settings.PUBLIC_TEST),
        choices.or(Settings.TEST_SHARE, "0.2"),
        choices.get(Settings.DATA_DIR),
        choices.or(Settings.DATA_SEED, "0"),
        progress);
  }
}
