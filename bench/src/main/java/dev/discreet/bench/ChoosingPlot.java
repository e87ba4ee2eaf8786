package dev.discreet.bench;

import dev.discreet.report.LinePlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws what {@code bench/choosing} measured: accuracy against each setting, as a multiple of what
 * it is by default.
 *
 * <pre>{@code
 * ChoosingPlot bench/results/choosing.csv docs/choosing.svg
 * }</pre>
 */
public final class ChoosingPlot {
  /** Of a run on {@code digits} at ε = 1. */
  private static final Map<String, Double> DEFAULTS =
      Map.of(
          "epsilon", 1.0, "lot-size", 1024.0, "rate-times-clip", 0.8, "clip", 0.1, "epochs", 40.0);

  private ChoosingPlot() {}

  public static void main(String[] args) throws IOException {
    Map<String, List<LinePlot.Point>> sweeps = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(Path.of(args[0]));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",");
      if (DEFAULTS.containsKey(cells[0])) {
        sweeps
            .computeIfAbsent(cells[0], name -> new ArrayList<>())
            .add(
                new LinePlot.Point(
                    Double.parseDouble(cells[1]) / DEFAULTS.get(cells[0]),
                    100 * Double.parseDouble(cells[3])));
      }
    }
    // The run with all defaults is the same for all.
    LinePlot.Point middle =
        sweeps.get("epsilon").stream().filter(point -> point.x() == 1).findFirst().orElseThrow();
    sweeps.forEach(
        (name, points) -> {
          if (points.stream().noneMatch(point -> point.x() == 1)) {
            points.add(middle);
          }
          points.sort(Comparator.comparingDouble(LinePlot.Point::x));
        });
    new LinePlot(
            "Test accuracy on digits at epsilon 1, one setting changed at a time",
            "times its default",
            "accuracy, %",
            sweeps.entrySet().stream()
                .map(each -> new LinePlot.Line(each.getKey(), false, each.getValue()))
                .toList())
        .write(Path.of(args[1]));
  }
}
