package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.onnx.OnnxExport;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in docs/onnx.md run as they stand there, without Discreet. */
class OnnxDocumentTest {
  @TempDir private Path folder;

  private String expected;

  @BeforeEach
  void export() throws IOException {
    Layout layout = Network.parse("dense(2)").on(Shape.vector(3));
    RawInputs rows =
        new RawInputs.Columns(
            List.of(
                new InputColumn.Number("age", 0, 120),
                new InputColumn.Category("sex", List.of("f", "m"))));
    Model model =
        new Model(
                layout,
                new float[] {-2, 1, 0.5f, 0.25f, 1, -1, 0, 0.125f},
                ModelPrivacy.none("NOT PRIVATE: made up."))
            .usedAs(new ModelUse(rows, new Task.Classes(List.of("no", "yes"))));
    OnnxExport.of(model).write(folder.resolve("patients.onnx"));
    expected =
        model.privacy()
            + "\n"
            + List.of(List.of("63", "m"), List.of("27.5", "f")).stream()
                .map(model::predict)
                .map(
                    each ->
                        String.format(
                            Locale.ROOT, "%s %.4f", each.label(), each.probabilities().get("yes")))
                .collect(Collectors.joining("\n"));
  }

  private String printed(List<String> command) throws Exception {
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    int code = process.waitFor();
    String text = Files.readString(said, StandardCharsets.UTF_8);
    assertEquals(0, code, text);
    return text.strip().replace("\r", "");
  }

  @Test
  void theJavaOfTheDocumentRuns() throws Exception {
    List<String> lines =
        new ArrayList<>(DocumentsTest.blocks("docs/onnx.md", "java").get(0).lines().toList());
    lines.add(3, "class Serve { public static void main(String[] args) throws Exception {");
    Path source =
        Files.writeString(folder.resolve("Serve.java"), String.join("\n", lines) + "\n}}\n");
    String runtime =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(each -> each.contains("onnxruntime"))
            .collect(Collectors.joining(File.pathSeparator));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-cp", runtime, source.toString()));
    if (Runtime.version().feature() >= 24) {
      command.add(1, "--enable-native-access=ALL-UNNAMED");
    }
    assertEquals(expected, printed(command));
  }

  @Test
  void thePythonOfTheDocumentRuns() throws Exception {
    boolean found;
    try {
      found =
          new ProcessBuilder("python3", "-c", "import onnxruntime, numpy")
                  .redirectErrorStream(true)
                  .redirectOutput(folder.resolve("found.txt").toFile())
                  .start()
                  .waitFor()
              == 0;
    } catch (IOException e) {
      found = false;
    }
    assumeTrue(found, "python3 with onnxruntime and numpy is not here");
    String program = DocumentsTest.blocks("docs/onnx.md", "python").get(0);
    Path source = Files.writeString(folder.resolve("serve.py"), program);
    assertEquals(expected, printed(List.of("python3", source.toString())));
  }
}
