package dev.discreet.cli;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.Approximation;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.NewFile;
import dev.discreet.report.LinePlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** ε against steps, a line for every accountant. */
final class StepsPlot {
  private static final int POINTS = 25;

  private StepsPlot() {}

  /** Refuses a file that could not be written or is there, before the work is done. */
  static void check(Path file) {
    LinePlot.Format.of(file);
    NewFile.check("plot", file);
  }

  static void write(Plan plan, double delta, Path file) throws IOException {
    List<LinePlot.Line> lines = new ArrayList<>();
    for (Accountant accountant : Accountants.all()) {
      lines.add(line(accountant, plan, delta));
    }
    new LinePlot(title(plan, delta), "steps", "epsilon", lines).write(file);
  }

  static String title(Plan plan, double delta) {
    return String.format(
        "Noise multiplier %s, %s, delta %s, %s neighbours",
        Digits.plain(plan.noiseMultiplier()),
        plan.sampling().words(Digits::plain),
        Digits.plain(delta),
        plan.neighbouring().label());
  }

  private static LinePlot.Line line(Accountant accountant, Plan plan, double delta) {
    List<LinePlot.Point> points = new ArrayList<>();
    boolean approximate = false;
    for (long steps : steps(plan.steps())) {
      Cost cost = accountant.epsilon(plan.withSteps(steps).ledger(), delta);
      approximate = Costs.approximate(cost);
      points.add(new LinePlot.Point(steps, cost.epsilon()));
    }
    String name =
        accountant.name() + (approximate ? "\n" + Approximation.LABEL.replace(", ", ",\n") : "");
    return new LinePlot.Line(name, approximate, points);
  }

  /** 1 to {@code most}, evenly on a logarithmic scale. */
  static long[] steps(long most) {
    return IntStream.range(0, POINTS)
        .mapToLong(i -> Math.round(Math.pow(most, i / (POINTS - 1.0))))
        .distinct()
        .toArray();
  }
}
