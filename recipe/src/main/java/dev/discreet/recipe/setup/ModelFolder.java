package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.TextFile;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The model in a folder, and what it predicts. */
public record ModelFolder(Model model, Task task) {

  /** Of a folder that {@code discreet train} or a Java program saved. */
  public static ModelFolder read(Path folder) throws IOException {
    Check.that(
        Files.exists(folder.resolve(RunFiles.MODEL)),
        "run",
        "a folder that discreet train wrote, or that Java saved a model to",
        folder);
    Model model = Model.load(folder);
    if (model.use().isPresent()) {
      return new ModelFolder(model, model.task());
    }
    // What an older version wrote has it in another file.
    Path json = folder.resolve(RunFiles.RESULT);
    Check.that(Files.exists(json), "run", "a folder that says what its model predicts", folder);
    Object data = JsonFields.parse(json.toString(), TextFile.read(json)).map().get("data");
    Check.that(data instanceof Map, "data in " + json, "as discreet train writes it", data);
    return new ModelFolder(model, task(json, (Map<?, ?>) data));
  }

  private static Task task(Path json, Map<?, ?> data) {
    if (data.get("classes") instanceof List<?> names) {
      return new Task.Classes(names.stream().map(String::valueOf).toList());
    }
    Check.that(
        data.get("predicts") instanceof String
            && data.get("low") instanceof Number
            && data.get("high") instanceof Number,
        "data in " + json,
        "with classes, or with a number to predict and its bounds",
        data);
    return new Task.Number(
        (String) data.get("predicts"),
        ((Number) data.get("low")).doubleValue(),
        ((Number) data.get("high")).doubleValue());
  }
}
