package dev.discreet.cli;

import dev.discreet.accounting.Digits;
import dev.discreet.cli.console.DeltaOption;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Usage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Every accountant side by side. */
@Command(
    name = "compare",
    description = {
      "Shows every accountant side by side for one setting.",
      "Below them stand two formulas that are often printed for such a setting. They are no bounds:"
          + " one takes q*eps0 for the epsilon of a step on a share q of the data (it is"
          + " ln(1+q(e^eps0-1)), which is more), both take an eps0 for one release that is proven"
          + " only below 1."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%n",
    footer =
        "Example: discreet compare --noise-multiplier 4 --sampling-rate 0.01 --steps 10000"
            + " --delta 1e-5 --plot epsilon.svg")
final class CompareCommand implements Callable<Integer> {

  @Mixin private SubjectOptions what;

  @Mixin private DeltaOption at;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description =
          "Also draw epsilon against steps, to a new file that ends in .svg or .png; not with --ledger,"
              + " which says how often each release is made.")
  private Path plot;

  @Option(
      names = "--seed-001-problem-4",
      description =
          "Instead of a setting of yours: an exercise from lecture notes (1000 runs of epsilon 0.4,"
              + " delta 1e-6), with the formulas that such notes print beside what holds. Takes no"
              + " other option but --json.")
  private boolean seedProblem;

  @Option(names = "--json", description = "Print one JSON array, a row each.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (seedProblem) {
      String why = "cannot stand beside --seed-001-problem-4, whose setting is fixed";
      Usage.refuse(spec, why, PlanOptions.STEPS);
      Usage.refuse(
          spec, why, PlanOptions.NEIGHBOURING, SubjectOptions.LEDGER, DeltaOption.NAME, "--plot");
      print(Seed001Problem4.WORDS, Seed001Problem4.rows(), Map.of(), out);
      return 0;
    }
    List<String> missing = new ArrayList<>(what.missing());
    missing.addAll(at.missing());
    Usage.needed(missing);
    double delta = at.delta();
    Plan plan = what.plan();
    if (plan == null) {
      Usage.refuse(spec, "draws against steps, which --ledger fixes", "--plot");
    }
    if (plot != null) {
      StepsPlot.check(plot);
    }
    Subject subject = what.subject();
    List<Comparison.Row> rows = new ArrayList<>(Comparison.accountants(subject, delta));
    if (plan != null) {
      rows.addAll(Comparison.seeds(plan, delta));
    }
    String relation = subject.ledger().neighbouring().label();
    String conditions = subject.conditionsText(delta);
    String words =
        subject.words()
            + ", "
            + relation
            + ", delta "
            + Digits.exact(delta)
            + (conditions.isEmpty() ? "" : "\nconditions: " + conditions);
    Map<String, Object> setting = new LinkedHashMap<>(subject.fields());
    setting.put("neighbouring", relation);
    setting.putAll(subject.conditionFields(delta));
    print(words, rows, setting, out);
    if (plot != null) {
      StepsPlot.write(plan, delta, plot);
      PrintWriter err = spec.commandLine().getErr();
      err.println(spec.qualifiedName() + ": the plot is in " + plot);
    }
    return 0;
  }

  private void print(
      String words, List<Comparison.Row> rows, Map<String, Object> setting, PrintWriter out)
      throws IOException {
    if (json) {
      List<Map<String, Object>> list = new ArrayList<>();
      for (Comparison.Row row : rows) {
        Map<String, Object> fields = row.fields();
        fields.putAll(setting);
        list.add(fields);
      }
      out.println(Json.text(list));
      return;
    }
    out.println(words);
    out.println();
    Comparison.table(rows).print(out);
  }
}
