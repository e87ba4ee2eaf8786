package dev.discreet.cli.bench;

import dev.discreet.cli.bench.ScalingBench.Cell;
import dev.discreet.cli.bench.StepTimer.Timing;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Threads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What more threads give. */
@Command(
    name = "scaling",
    description = {
      "Times private and plain steps on several numbers of threads, in turns, on generated data.",
      "In a checkout the tables are also kept in bench/results/scaling.md, one section for each"
          + " machine and Java."
    })
final class ScalingCommand implements Callable<Integer> {
  /** Where a checkout keeps what was measured. */
  private static final Path RESULTS = Path.of("bench", "results");

  private static final Pattern OUTSIDE_BRACKETS = Pattern.compile(",(?![^(]*\\))");

  @Option(
      names = "--models",
      paramLabel = "NAME[,NAME...]",
      defaultValue = "mnist-cnn,cifar-cnn,mlp(1000)",
      description = "Models' names or text forms, with commas between (default: ${DEFAULT-VALUE}).")
  private String models;

  @Option(
      names = "--input",
      paramLabel = "HxWxC",
      description = "Shape of an example (default: 32x32x3 for cifar-cnn, 28x28x1 for all others).")
  private String input;

  @Option(
      names = "--lots",
      paramLabel = "N",
      split = ",",
      converter = Quantity.Lot.class,
      description =
          "Expected lot sizes, with commas between (default: 256,2048 for cifar-cnn, 600,4096 for"
              + " all others).")
  private List<Long> lots;

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      converter = Quantity.Threads.class,
      description =
          "Numbers of threads, with commas between (default: 1, 2, 4, ... up to one for each"
              + " processor that this Java may use).")
  private List<Long> threads;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      converter = Quantity.Rounds.class,
      description = "Times that each of all is measured (default: ${DEFAULT-VALUE}).")
  private long rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "1",
      converter = Quantity.Seconds.class,
      description = "Least length of a measurement (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "5",
      converter = Quantity.Seconds.class,
      description =
          "Seconds of steps before any is timed, private and plain ones of each model and lot"
              + " (default: ${DEFAULT-VALUE}).")
  private double warmUp;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Keep the tables on that page (default: bench/results/scaling.md, if there).")
  private Path out;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Path page = out != null || !Files.isDirectory(RESULTS) ? out : RESULTS.resolve("scaling.md");
    if (page != null) {
      ScalingPage.check(page);
    }
    List<StepTimer> works = new ArrayList<>();
    for (String model : new LinkedHashSet<>(List.of(OUTSIDE_BRACKETS.split(models, -1)))) {
      for (long lot : lots != null ? sorted(lots) : usualLots(model)) {
        works.add(StepTimer.of(model, StepTimer.input(model, input), (int) lot));
      }
    }
    List<Integer> crews =
        (threads != null ? sorted(threads) : upTo(Threads.processors()))
            .stream().map(Math::toIntExact).toList();
    PrintWriter err = spec.commandLine().getErr();
    Threads.warn(crews.get(crews.size() - 1), spec);
    ScalingBench bench = new ScalingBench(works, crews, (int) rounds, seconds, warmUp);
    List<List<Cell>> cells =
        bench.run(
            line -> {
              err.println(line);
              err.flush();
            });
    ScalingPage measured = ScalingPage.of(bench, cells);
    if (page != null) {
      measured.write(page);
    }
    spec.commandLine()
        .getOut()
        .print(json ? Json.text(fields(measured)) + System.lineSeparator() : measured.section());
    return 0;
  }

  private static List<Long> sorted(List<Long> numbers) {
    return List.copyOf(new TreeSet<>(numbers));
  }

  private static List<Long> usualLots(String model) {
    return StepTimer.isCifar(model) ? List.of(256L, 2048L) : List.of(600L, 4096L);
  }

  /** Powers of two, and that number. */
  static List<Long> upTo(int processors) {
    List<Long> numbers = new ArrayList<>();
    for (long n = 1; n < processors; n *= 2) {
      numbers.add(n);
    }
    numbers.add((long) processors);
    return numbers;
  }

  private Map<String, Object> fields(ScalingPage measured) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (List<Cell> cells : measured.cells()) {
      for (Cell cell : cells) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("model", cell.model());
        row.put("lotSize", cell.lot());
        row.put("threads", cell.threads());
        row.put("private", fields(cell, cells.get(0), true));
        row.put("nonPrivate", fields(cell, cells.get(0), false));
        row.put("privateTimeOverNonPrivate", cell.privateOverPlain());
        rows.add(row);
      }
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("machine", measured.machine());
    fields.put("cells", rows);
    fields.put(
        "slower",
        ScalingBench.slower(measured.cells()).stream().map(ScalingPage::sentence).toList());
    return fields;
  }

  private static Map<String, Object> fields(Cell cell, Cell fewest, boolean isPrivate) {
    Timing timing = cell.timing(isPrivate);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("examplesPerSecond", cell.rate(isPrivate));
    fields.put("stepSeconds", timing.median());
    fields.put("steps", timing.seconds().length);
    fields.put("speedUp", cell.speedUp(fewest, isPrivate));
    fields.put("efficiency", cell.efficiency(fewest, isPrivate));
    fields.put("phaseSeconds", phases(timing));
    return fields;
  }

  /** Mean seconds of each part of a step, by its name. */
  static Map<String, Object> phases(Timing timing) {
    Map<String, Object> phases = new LinkedHashMap<>();
    timing.phases().forEach((phase, took) -> phases.put(phase.label(), took));
    return phases;
  }
}
