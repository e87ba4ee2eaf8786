package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.cli.console.Table;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.model.Model;
import dev.discreet.onnx.OnnxExport;
import dev.discreet.recipe.setup.ModelFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A trained model as a file for other programs. */
@Command(
    name = "export",
    description = {
      "Writes a run's model as an ONNX file, which programs without Discreet can use.",
      "Raw rows go in: scaling, categories and the names of classes are in the file, and so is what"
          + " the model promises about the people in its data."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%n",
    footer = "Example: discreet export --run runs/patients --to patients.onnx")
public final class ExportCommand implements Callable<Integer> {
  /** What of {@code run.json} says what was promised, and to whom. */
  private static final List<String> PROMISE =
      List.of(
          "epsilon",
          "epsilonLower",
          "delta",
          "epsilonWithSecretKeys",
          "epsilonLowerWithSecretKeys",
          "deltaWithSecretKeys",
          "accountant",
          "version");

  private static final List<String> SETTINGS = List.of("unit", "neighbouring");

  @Option(
      names = "--run",
      paramLabel = "DIR",
      required = true,
      description = "The folder of a run.")
  private Path run;

  @Option(
      names = "--to",
      paramLabel = "FILE.onnx",
      required = true,
      description = "The file to write.")
  private Path file;

  @Option(names = "--force", description = "Replace an existing file.")
  private boolean force;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Path in = file.toAbsolutePath().getParent();
    Check.that(
        file.getFileName() != null && file.getFileName().toString().endsWith(".onnx"),
        "to",
        "a file whose name ends in .onnx",
        file);
    Check.that(Files.isDirectory(in), "to", "in a folder that exists; " + in + " is none", file);
    Check.that(
        !Files.isDirectory(file) && (force || !Files.exists(file)),
        "to",
        "a new file (or --force replaces it)",
        file);
    Model model = ModelFolder.read(run).model();
    Check.that(
        model.use().isPresent() || !Files.exists(run.resolve(RunFiles.RESULT)),
        "run",
        "one whose " + RunFiles.MODEL + " says what raw rows are, as older versions did not write",
        run);
    OnnxExport export = told(OnnxExport.of(model));
    export.write(file);
    PrintWriter out = spec.commandLine().getOut();
    Table table = new Table();
    table.row("file", file.toString());
    table.row("model", model.privacy());
    export.inputs().forEach(each -> table.row("takes", words(each)));
    export.outputs().forEach(each -> table.row("gives", words(each)));
    table.print(out);
    return 0;
  }

  /** With what the run's other files say of its promise, where they are of this model. */
  private OnnxExport told(OnnxExport export) throws IOException {
    OnnxExport says = export;
    Path json = run.resolve(RunFiles.RESULT);
    if (!Files.exists(json)) {
      return says;
    }
    JsonFields fields = JsonFields.parse(json.toString(), TextFile.read(json));
    String promise = fields.text("privacy");
    // A model that began with another says more than its run.
    Check.that(
        export.model().privacy().startsWith(promise),
        "privacy of " + json,
        "that of the model beside it, " + export.model().privacy(),
        promise);
    for (String name : PROMISE) {
      says = saying(says, name, fields.map().get(name));
    }
    // A training has these among its settings, a regression beside its figures.
    Map<?, ?> settings =
        fields.map().get("configuration") instanceof Map<?, ?> found ? found : fields.map();
    for (String name : SETTINGS) {
      says = saying(says, name, settings.get(name));
    }
    Path statement = run.resolve(RunFiles.STATEMENT);
    return Files.exists(statement) ? says.saying("statement", TextFile.read(statement)) : says;
  }

  private static String words(OnnxExport.Tensor tensor) {
    return tensor.name() + " " + tensor.type() + ": " + tensor.says();
  }

  private static OnnxExport saying(OnnxExport export, String name, Object value) {
    return value == null
        ? export
        : export.saying(
            name, value instanceof Double number ? Digits.shortest(number) : value.toString());
  }
}
