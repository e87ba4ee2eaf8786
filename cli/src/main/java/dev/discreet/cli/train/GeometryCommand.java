package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.algorithms.geometry.GradientCloud;
import dev.discreet.algorithms.geometry.TangentKernel;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.NewFile;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Table;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.ColumnChoices;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.MisfitRows;
import dev.discreet.recipe.setup.ModelChoices;
import dev.discreet.recipe.setup.PayingAccount;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Diagnostics of clipping on public data, or labelled as outside the guarantee. */
@Command(
    name = "geometry",
    description = {
      "Shows what clipping does to the gradients of a small network at its start: tangent kernel,"
          + " cosines, random projections, bias and symmetry (docs/algorithms/clipping.md).",
      "Nothing here is noised or accounted: it is for named and generated sets, which are public."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.OfGeometry.class,
    footerHeading = "%n",
    footer = "Example: discreet geometry --data digits --plot gradients.svg")
public final class GeometryCommand implements Callable<Integer> {
  // A kernel has the square of examples times outputs in it, and its eigenvalues the cube.
  private static final int MOST_IN_KERNEL = 400;

  @Option(
      names = "--examples",
      paramLabel = "N",
      defaultValue = "200",
      description = "Of how many examples gradients are shown. Default: ${DEFAULT-VALUE}.")
  private int examples;

  @Option(
      names = "--kernel-examples",
      paramLabel = "N",
      defaultValue = "6",
      description = "Of how many the tangent kernel is. Default: ${DEFAULT-VALUE}.")
  private int kernelExamples;

  @Option(
      names = "--projections",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many random sides --plot shows. Default: ${DEFAULT-VALUE}.")
  private int projections;

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description = "Also draw cosines and projections, to a new file.")
  private Path plot;

  @Option(
      names = "--outside-the-guarantee",
      description = "Look at private rows, unprotected, for your eyes only; without the kernel.")
  private boolean outside;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    SettingValues given = ColumnChoices.declared(SettingOptions.given(spec).checked());
    String name =
        new EffectiveSettings(given).or(DataSettings.DATA, SettingOptions.OfGeometry.DATA);
    boolean isPublic = DataSets.names().contains(name);
    check(name, isPublic);
    PayingAccount.refuseUnprotected(given, "geometry");
    EffectiveSettings choices = new EffectiveSettings(ColumnChoices.expanded(given));
    PrintWriter err = spec.commandLine().getErr();
    DataSet data =
        MisfitRows.told(
            DataSets.open(name, DataChoices.options(choices, err::println)),
            choices.given().has(CallSettings.ACCEPT_MISFITS),
            line -> err.println("discreet geometry: " + line));
    Layout layout =
        ModelChoices.layout(
            choices,
            data.task(),
            data.train().examples().input(),
            defaultModel(data),
            UnaryOperator.identity());
    long start = choices.or(ModelSettings.INITIAL_SEED);
    ClippingGeometry found = geometry(choices, layout, data.train().examples(), isPublic, start);
    String label = found.cloud().label();
    if (plot != null) {
      String title = label + ": " + data.name() + ", " + layout.network();
      Files.writeString(plot, found.picture(title, projections, start).svg());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.text(fields(found, data.name(), layout, start)));
    } else {
      print(out, found, data.name(), layout, start);
    }
    if (plot != null) {
      out.flush();
      err.println(spec.qualifiedName() + ": the plot is in " + plot);
    }
    return 0;
  }

  private void check(String name, boolean isPublic) throws IOException {
    Check.that(
        isPublic || outside,
        "data",
        "a named or generated set, which is public (private rows are shown, unprotected, only with"
            + " --outside-the-guarantee)",
        name);
    Check.that(examples >= 2, "examples", "at least 2", examples);
    Check.that(kernelExamples >= 1, "kernel examples", "at least 1", kernelExamples);
    Check.that(projections >= 1, "projections", "at least 1", projections);
    if (plot != null) {
      Check.that(
          plot.toString().toLowerCase(Locale.ROOT).endsWith(".svg"),
          "plot",
          "a file that ends in .svg",
          plot);
      NewFile.check("plot", plot);
    }
  }

  private static String defaultModel(DataSet data) {
    boolean image = data.train().examples().input().positions() > 1;
    String end =
        data.task()
            .match(
                several -> "dense(" + several.names().size() + ")",
                number -> "dense(1) loss=squared");
    return (image ? "flatten " : "") + "dense(8) tanh " + end;
  }

  private ClippingGeometry geometry(
      EffectiveSettings choices, Layout layout, Examples all, boolean isPublic, long start) {
    float[] theta = layout.initial(Initialiser.PYTORCH_UNIFORM, start);
    int[] chosen = IntStream.range(0, Math.min(examples, all.size())).toArray();
    try (PublicGradients engine = Engine.standard().open(layout, all)) {
      float[][] gradients = engine.perExampleGradients(theta, chosen);
      double threshold =
          choices.get(ClippingSettings.CLIP).orElseGet(() -> Math.max(1e-6, medianNorm(gradients)));
      return new ClippingGeometry(
          isPublic
              ? GradientCloud.declaredPublic(engine, theta, chosen)
              : GradientCloud.outsideTheGuarantee(gradients),
          isPublic ? kernel(layout, theta, all) : null,
          threshold);
    }
  }

  private TangentKernel kernel(Layout layout, float[] theta, Examples all) {
    int count = Math.min(kernelExamples, all.size());
    Check.that(
        (long) count * layout.outputs() <= MOST_IN_KERNEL,
        "kernel examples",
        "such that with the model's "
            + layout.outputs()
            + " outputs they are at most "
            + MOST_IN_KERNEL,
        kernelExamples);
    int size = layout.input().size();
    float[] inputs = new float[count * size];
    float[] targets = new float[count * all.targets()];
    for (int i = 0; i < count; i++) {
      all.input(i, inputs, i * size);
      all.target(i, targets, i * all.targets());
    }
    Examples few = Examples.of(layout.input(), inputs, all.targets(), targets);
    return TangentKernel.of(layout, theta, new TestSet.Public(few), Engine.standard());
  }

  private static double medianNorm(float[][] gradients) {
    double[] norms =
        Arrays.stream(gradients)
            .mapToDouble(
                row -> {
                  double square = 0;
                  for (float value : row) {
                    square += (double) value * value;
                  }
                  return Math.sqrt(square);
                })
            .sorted()
            .toArray();
    return norms[norms.length / 2];
  }

  private static Map<String, Object> fields(
      ClippingGeometry found, String data, Layout layout, long seed) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("label", found.cloud().label());
    fields.put("data", data);
    fields.put("model", layout.network().toString());
    fields.put("clip", found.threshold());
    fields.put("gradients", found.cloud().size());
    fields.put("kernel", found.kernels().stream().map(ClippingGeometry.Row::fields).toList());
    fields.put("cosines", Arrays.stream(found.cosines().counts()).boxed().toList());
    fields.put("symmetry", found.cloud().symmetry());
    fields.put("symmetryAlongMean", along(found.cloud()));
    fields.put("sets", found.sets().stream().map(ClippingGeometry.Row::fields).toList());
    fields.put(
        "distributions",
        ClippingGeometry.distributions(seed).stream().map(ClippingGeometry.Row::fields).toList());
    return fields;
  }

  /** 1 where there is no direction to look along. */
  private static double along(GradientCloud cloud) {
    boolean moves = Arrays.stream(cloud.mean()).anyMatch(part -> part != 0);
    return moves ? cloud.symmetryAlong(cloud.mean()) : 1;
  }

  private static void print(
      PrintWriter out, ClippingGeometry found, String data, Layout layout, long seed) {
    out.println(found.cloud().label() + ": " + data + ", " + layout.network());
    out.println(
        found.cloud().size()
            + " gradients at the start, clipped to "
            + Digits.plain(found.threshold()));
    print(out, "tangent kernel, clipped", found.kernels());
    out.println();
    out.println("cosines with the mean gradient, from -1 to 1");
    out.println("  " + Arrays.toString(found.cosines().counts()));
    out.println(
        String.format(
            Locale.ROOT,
            "symmetry  %.4f, along the mean %.4f (1: its own mirror image)",
            found.cloud().symmetry(),
            along(found.cloud())));
    print(out, "clipped to a", found.sets());
    print(out, "gradient (1/2, 0) with noise", ClippingGeometry.distributions(seed));
  }

  private static void print(PrintWriter out, String title, List<ClippingGeometry.Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    out.println();
    Table table = new Table();
    List<String> head = new java.util.ArrayList<>(List.of(title));
    head.addAll(rows.get(0).figures().keySet());
    table.row(head.toArray(String[]::new));
    for (ClippingGeometry.Row row : rows) {
      List<String> cells = new java.util.ArrayList<>(List.of(row.name()));
      row.figures().values().forEach(v -> cells.add(String.format(Locale.ROOT, "%.4g", v + 0.0)));
      table.row(cells.toArray(String[]::new));
    }
    table.print(out);
  }
}
