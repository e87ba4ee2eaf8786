package dev.discreet.cli.bench;

import dev.discreet.accounting.Check;
import dev.discreet.cli.bench.ScalingBench.Cell;
import dev.discreet.cli.bench.ScalingBench.Slower;
import dev.discreet.cli.console.Threads;
import dev.discreet.core.engine.StepPhase;
import dev.discreet.core.files.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was measured as Markdown: a section for the machine and its Java, on a page that may have
 * those of others.
 *
 * @param machine the heading
 * @param how when and how long it was measured
 */
record ScalingPage(String machine, String how, List<List<Cell>> cells) {
  private static final String TITLE = "# Training steps on every core\n";

  private static final String BEGINNING =
      TITLE
          + """

          Made by `./discreet bench scaling`, which replaces the section of its machine and Java. Speeds are examples a second at the median step.
          All cells of a section were measured in turns. Speed-up is over the fewest threads, and efficiency is speed-up divided by how many
          times as many threads there are. A step is all that a run does for it: lot, gradients, ledger, noise, update. Private and plain
          steps of a row alternated. How to choose threads: `docs/threads.md`.
          """;

  /** The section of this machine. */
  static ScalingPage of(ScalingBench bench, List<List<Cell>> cells) {
    return new ScalingPage(
        Machine.processor()
            + ", "
            + Threads.processors()
            + " processors, Java "
            + Runtime.version().feature(),
        String.format(
            Locale.ROOT,
            "%s, %d rounds of at least %.3g s for each cell and kind.",
            LocalDate.now(ZoneOffset.UTC),
            bench.rounds(),
            bench.seconds()),
        cells);
  }

  /** The tables. */
  String section() {
    StringBuilder text = new StringBuilder("## " + machine + "\n\n" + how + "\n\n");
    row(
        text,
        Stream.of(
            "model, lot",
            "threads",
            "private, examples/s",
            "speed-up",
            "efficiency",
            "plain, examples/s",
            "speed-up",
            "private ÷ plain, time"));
    rule(text, 8);
    for (List<Cell> each : cells) {
      Cell fewest = each.get(0);
      for (Cell cell : each) {
        row(
            text,
            Stream.of(
                name(cell),
                number("%d", cell.threads()),
                number("%,.0f", cell.rate(true)),
                number("%.2f", cell.speedUp(fewest, true)),
                number("%.2f", cell.efficiency(fewest, true)),
                number("%,.0f", cell.rate(false)),
                number("%.2f", cell.speedUp(fewest, false)),
                number("%.2f", cell.privateOverPlain())));
      }
    }
    text.append('\n');
    List<Slower> slower = ScalingBench.slower(cells);
    if (slower.isEmpty()) {
      text.append("More threads made no step slower by over 5%.\n");
    } else {
      text.append("**More threads made steps slower by over 5%:**\n\n");
      slower.forEach(each -> text.append("- ").append(sentence(each)).append('\n'));
    }
    phases(text, true);
    phases(text, false);
    return text.toString();
  }

  static String sentence(Slower slower) {
    return String.format(
        Locale.ROOT,
        "%s, %s: %d threads take %.2f times as long as %d.",
        name(slower.cell()),
        slower.isPrivate() ? "private" : "plain",
        slower.cell().threads(),
        slower.ratio(),
        slower.fewer().threads());
  }

  /** Where the time of a step goes, in parts that occur at all. */
  private void phases(StringBuilder text, boolean isPrivate) {
    List<StepPhase> occurring =
        Arrays.stream(StepPhase.values())
            .filter(
                phase ->
                    cells.stream()
                        .flatMap(List::stream)
                        .anyMatch(cell -> cell.timing(isPrivate).phases().containsKey(phase)))
            .toList();
    text.append("\nWhere the time of a ")
        .append(isPrivate ? "private" : "plain")
        .append(" step went, in ms, the mean of all steps:\n\n");
    row(
        text,
        Stream.concat(
            Stream.of("model, lot", "threads", "step"), occurring.stream().map(StepPhase::label)));
    rule(text, 3 + occurring.size());
    for (Cell cell : cells.stream().flatMap(List::stream).toList()) {
      Map<StepPhase, Double> took = cell.timing(isPrivate).phases();
      row(
          text,
          Stream.concat(
              Stream.of(
                  name(cell),
                  number("%d", cell.threads()),
                  number("%.3f", 1e3 * cell.timing(isPrivate).mean())),
              occurring.stream()
                  .map(phase -> number("%.3f", 1e3 * took.getOrDefault(phase, 0.0)))));
    }
  }

  private static String name(Cell cell) {
    return String.format(Locale.ROOT, "`%s`, %,d", cell.model().replace("|", "\\|"), cell.lot());
  }

  private static String number(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static void row(StringBuilder text, Stream<String> cells) {
    text.append(cells.collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  private static void rule(StringBuilder text, int columns) {
    row(text, Stream.generate(() -> "---").limit(columns));
  }

  /** Refuses a file that something else is in. */
  static void check(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Check.that(
        folder != null && Files.isDirectory(folder), "out", "a file in a folder that exists", file);
    Check.that(
        !Files.exists(file) || TextFile.read(file).startsWith(TITLE),
        "out",
        "a new file, or a page of an earlier measurement",
        file);
  }

  /** Puts the section into that file, in place of an older one of the same machine and Java. */
  void write(Path file) throws IOException {
    String page = Files.exists(file) ? TextFile.read(file) : BEGINNING;
    StringBuilder text = new StringBuilder();
    boolean placed = false;
    for (String part : page.split("(?m)^(?=## )")) {
      boolean mine = part.startsWith("## " + machine + "\n");
      text.append(mine ? section() + "\n" : part.strip() + "\n\n");
      placed |= mine;
    }
    text.append(placed ? "" : section());
    Files.writeString(file, text.toString().strip() + "\n");
  }
}
