package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.cli.Run;
import dev.discreet.core.model.Model;
import dev.discreet.core.nn.Initialiser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run may begin with, from the command line to its ledger. */
class ModelStartsTest extends TrainedFiles {
  /** A public phase and a private one from one run file, which its folder has again. */
  @Test
  void pretraining() throws IOException {
    Path file =
        Files.writeString(
            out("run.yaml"),
            """
            data: gaussians
            model: dense(8) tanh dropout(0.1) dense(2)
            pretrain:
              data: gaussians
              epochs: 0.5
            freeze: [start]
            new-head: true
            steps: 3
            noise-multiplier: 2
            learning-rate: 0.01
            ema: 0
            """);
    Path out = run("pretrained", file.toString());
    // Only the steps on private data.
    assertEquals(THREE, ledger(out));
    has(text(out, "run.yaml"), "\npretrain:\n  data: gaussians\n  seed: 1\n  epochs: 0.5\n");
    String told = "data declared public (gaussians, generated from seed 1)";
    has(text(out, "privacy.txt").replaceAll("\\s+", " "), told, "Those data are not protected");
    has(text(out, "model.json"), told);
    has(text(out, "run.json"), told, "\"pretrain-data\" : \"gaussians\"", "frozen\" : \"[0]");
    has(
        text(out, "report.html"),
        "0 stand still",
        "0.5 epochs on gaussians, generated from seed 1: 10,000 public");
    // The phase is seeded: what it gave is the same again, and stood still.
    Path again = run("again", out.resolve("run.yaml").toString());
    Model first = Model.load(out);
    Model second = Model.load(again);
    int kept = 2 * 8 + 8;
    assertArrayEquals(
        Arrays.copyOf(first.parameters(), kept), Arrays.copyOf(second.parameters(), kept));
    assertFalse(Arrays.equals(first.parameters(), second.parameters()));
    float[] initial = first.layout().initial(Initialiser.PYTORCH_UNIFORM, 0);
    assertFalse(
        Arrays.equals(Arrays.copyOf(initial, kept), Arrays.copyOf(first.parameters(), kept)));
  }

  /** Another number of classes: layers stay and the head is new. */
  @Test
  void aStartWithAnotherHead() throws IOException {
    Path source = run("source", "--data gaussians --model mlp(4) --non-private --steps 3");
    List<String> lines = new ArrayList<>(List.of("a,b,kind"));
    for (int i = 0; i < 200; i++) {
      lines.add(i % 7 + "," + i % 11 + "," + i % 3);
    }
    Path table = Files.write(out("kinds.csv"), lines);
    String from =
        "--data "
            + table
            + " --label kind=0|1|2 --column a=0..9 --column b=0..9 --lot-size 20 --held-out none"
            + STEP
            + "--start-from ";
    Path out =
        run("headed", from + source + " --start-public normal-classes --rate-factor start=0.5");
    has(text(out, "run.yaml"), "dense(4)", "dense(3)", "rate-factor:\n- start=0.5\n");
    has(text(out, "run.json"), "rateFactors\" : \"{1=0.5}");
    String statement = text(out, "privacy.txt").replaceAll("\\s+", " ");
    has(statement, "Layers 1 began as those of a model of data declared public (normal-classes)");
    // A private model protects someone: it is carried, and cannot be declared public.
    Path next = run("next", from + out.resolve("model.safetensors") + " --model mlp(4)");
    statement = text(next, "privacy.txt").replaceAll("\\s+", " ");
    has(statement, "Layers 1, 3 began", "that says of itself: Private:", "pays both prices");
    String line = Run.of("train " + from + out + " --start-public x --out " + out("no")).line(2);
    has(line, "model to start from must be other than private to be declared public");
  }

  /** At learning rate 0 the model is its start: what that gives away, it gives away. */
  @Test
  void aStartThatProtectsNoOne() throws IOException {
    Path data = Small.table(folder, 300, 5);
    Small.run(data, out("na"), "--non-private", "--quiet").done();
    String[] from = {
      "--start-from",
      out("na").toString(),
      "--noise-multiplier",
      "9",
      "--learning-rate",
      "0",
      "--ema",
      "0",
      "--held-out",
      "none"
    };
    String line = Small.run(data, out("nb"), from).line(2);
    has(line, "model to start from must be private, or of data declared public (--start-public");
    String[] named = Arrays.copyOf(from, from.length + 1);
    named[from.length] = "--start-not-private";
    Run run = Small.run(data, out("nb"), named).done();
    assertArrayEquals(
        Model.load(out("na")).parameters(), Model.load(out("nb")).parameters(), "the start");
    String first = "NOT PRIVATE: because of its start";
    has(run.out(), "privacy     NONE, because of its start", "no one; with a public start: each");
    String summary = run.out().substring(run.out().lastIndexOf("\n\n") + 2);
    assertTrue(summary.startsWith("privacy") && summary.contains(first), summary);
    for (String file : List.of("privacy.txt", "run.yaml")) {
      has(text(out("nb"), file).lines().findFirst().orElseThrow(), first);
    }
    for (String file : List.of("run.json", "model.json")) {
      Map<String, Object> json = JSON.std.mapFrom(text(out("nb"), file));
      assertTrue(json.get("privacy").toString().startsWith(first), file);
      assertFalse(json.containsKey("epsilon"), file);
    }
    Map<String, Object> json = JSON.std.mapFrom(text(out("nb"), "run.json"));
    assertEquals(false, json.get("private"));
    assertFalse(json.toString().contains("SHA-256"), "a hash tells two neighbours apart");
    has(text(out("nb"), "metrics.csv"), ",Infinity,", ",NOT PRIVATE\n");
    String report = text(out("nb"), "report.html");
    has(report, "<strong>NOT PRIVATE</strong>", "This model is not private because of its start.");
    assertFalse(report.contains("paid for"), "nothing is promised");
    // What its own people paid, with the word that it promises nothing of the model.
    Run read = Run.of("epsilon --delta 1e-5 --ledger " + out("nb").resolve("ledger.json"));
    has(read.done().out(), "It is no promise about this model.", "the 6 releases of");
    assertFalse(read.out().contains("the figure to state)"), read.out());
    // Nor is a model that was made of it.
    from[1] = out("nb").toString();
    has(Small.run(data, out("nc"), from).line(2), "Provided value: " + first);
    from[1] = out("na").toString();
    named[from.length] = "--non-private";
    named[2] = "--optimizer";
    named[3] = "sgd";
    Small.run(data, out("nd"), named).done();
    has(text(out("nd"), "model.json"), "NOT PRIVATE: this run was non-private by request");
  }
}
