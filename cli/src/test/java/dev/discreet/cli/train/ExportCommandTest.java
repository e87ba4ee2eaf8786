package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import dev.discreet.cli.Run;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Prediction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {
  @TempDir private Path folder;

  private final OrtEnvironment runtime = OrtEnvironment.getEnvironment();

  private Path trained(String... more) throws Exception {
    Path run = folder.resolve("run");
    Small.run(Small.table(folder, 400, 1), run, more).done();
    return run;
  }

  private Path to() {
    return folder.resolve("patients.onnx");
  }

  private Run export(Path run, String... more) {
    String[] all = {"export", "--run", run.toString(), "--to", to().toString()};
    String[] args = Arrays.copyOf(all, all.length + more.length);
    System.arraycopy(more, 0, args, all.length, more.length);
    return Run.of(args);
  }

  private Map<String, String> metadata() throws Exception {
    try (OrtSession session = runtime.createSession(to().toString())) {
      return session.getMetadata().getCustomMetadata();
    }
  }

  @Test
  void rawRowsGoIntoAFileThatCarriesThePromise() throws Exception {
    Path run = trained("--noise-multiplier", "1", "--quiet");
    Run told = export(run).done();
    assertTrue(told.out().contains("takes  age double[N, 1]: 0..100;"), told.out());
    assertTrue(told.out().contains("takes  sex string[N, 1]: one of f, m"), told.out());
    assertTrue(told.out().contains("gives  label string[N]"), told.out());
    Model model = Model.load(run);
    try (OrtSession session = runtime.createSession(to().toString());
        OnnxTensor age = OnnxTensor.createTensor(runtime, new double[][] {{63}, {-7}});
        OnnxTensor sex = OnnxTensor.createTensor(runtime, new String[][] {{"m"}, {"f"}});
        OrtSession.Result result = session.run(Map.of("age", age, "sex", sex))) {
      String[] labels = (String[]) result.get("label").orElseThrow().getValue();
      float[][] shares = (float[][]) result.get("probabilities").orElseThrow().getValue();
      List<Prediction> ours =
          List.of(model.predict(List.of("63", "m")), model.predict(List.of("-7", "f")));
      for (int i = 0; i < 2; i++) {
        assertEquals(ours.get(i).label(), labels[i]);
        assertEquals(ours.get(i).probabilities().get("yes"), shares[i][1], 1e-6);
      }
    }
    carriesThePromise(run);
  }

  private void carriesThePromise(Path run) throws Exception {
    Map<String, String> says = metadata();
    assertEquals(Model.load(run).privacy(), says.get("discreet.privacy"));
    assertTrue(says.get("discreet.privacy").startsWith("Private: epsilon <= "));
    assertEquals("everyone", says.get("discreet.protects"));
    double epsilon = Double.parseDouble(says.get("discreet.epsilon"));
    assertTrue(epsilon > 1 && epsilon < 10, says.get("discreet.epsilon"));
    assertEquals(1e-5, Double.parseDouble(says.get("discreet.delta")));
    assertEquals("example", says.get("discreet.unit"));
    assertEquals("add/remove", says.get("discreet.neighbouring"));
    assertEquals(Files.readString(run.resolve("privacy.txt")), says.get("discreet.statement"));
  }

  /** What protects no one has no ε under the name of a promise. */
  @Test
  void aSeededRunSaysThatItProtectsNoOne() throws Exception {
    Path run = trained("--noise-multiplier", "1", "--insecure-seed", "1", "--quiet");
    assertTrue(export(run).done().out().contains("INSECURE"));
    Map<String, String> says = metadata();
    assertTrue(says.get("discreet.privacy").startsWith("INSECURE"));
    assertEquals("no one", says.get("discreet.protects"));
    assertFalse(says.containsKey("discreet.epsilon"), says.toString());
    assertTrue(says.containsKey("discreet.epsilonWithSecretKeys"), says.toString());
  }

  @Test
  void anExistingFileIsReplacedOnlyWhenAsked() throws Exception {
    Path run = trained("--non-private", "--quiet");
    Files.writeString(to(), "mine");
    String line = export(run).line(2);
    assertTrue(line.contains("a new file (or --force replaces it)"), line);
    assertEquals("mine", Files.readString(to()));
    export(run, "--force").done();
    // The same bytes of the same run.
    byte[] first = Files.readAllBytes(to());
    export(run, "--force").done();
    assertArrayEquals(first, Files.readAllBytes(to()));
    assertTrue(metadata().get("discreet.privacy").startsWith("NOT PRIVATE"));

    Files.delete(to());
    refusals(run);
  }

  /** What is wrong is said before there is a file. */
  private void refusals(Path run) throws Exception {
    String nowhere = folder.resolve("nowhere").toString();
    for (List<String> wrong :
        List.of(
            List.of("export", "--run", nowhere, "--to", to().toString()),
            List.of("export", "--run", run.toString(), "--to", nowhere + "/x.onnx"),
            List.of("export", "--run", run.toString(), "--to", nowhere + ".h5"),
            List.of("export", "--run", run.toString()))) {
      Run.of(wrong.toArray(String[]::new)).line(2);
    }
    // The description of one run beside the figures of another.
    Path json = run.resolve("run.json");
    Files.writeString(json, Files.readString(json).replace("NOT PRIVATE", "Private"));
    String line = export(run).line(2);
    assertTrue(line.contains("privacy of "), line);
    assertEquals(List.of("patients-1.csv", "run"), Small.names(folder));
  }

  @Test
  void aRegressionIsExportedToo() throws Exception {
    Path run = folder.resolve("run");
    String data = Small.table(folder, 400, 1).toString();
    Run.of(
            ("regress --epsilon 1 --label age=0..100 --column sex=f|m --column sick=no|yes --data "
                    + data
                    + " --out "
                    + run)
                .split(" "))
        .done();
    export(run).done();
    assertEquals("example", metadata().get("discreet.unit"));
    assertTrue(Double.parseDouble(metadata().get("discreet.epsilon")) <= 1);
    try (OrtSession session = runtime.createSession(to().toString());
        OnnxTensor sex = OnnxTensor.createTensor(runtime, new String[][] {{"m"}});
        OnnxTensor sick = OnnxTensor.createTensor(runtime, new String[][] {{"yes"}});
        OrtSession.Result result = session.run(Map.of("sex", sex, "sick", sick))) {
      double[] ages = (double[]) result.get("value").orElseThrow().getValue();
      assertEquals(Model.load(run).predict(List.of("m", "yes")).value(), ages[0], 1e-4);
    }
  }
}
