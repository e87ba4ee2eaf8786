package dev.discreet.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.files.Safetensors;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.nn.TorchLayout;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.ParameterGroups;
import dev.discreet.core.optimize.WeightDecay;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferTest {
  private static final Network SOURCE = Network.parse("dense(24) tanh dense(16) tanh dense(2)");
  private static final String PRIVATE = "Private: epsilon = 1 at delta = 1e-05";

  private static Model model(Network network, Shape input, String privacy) {
    Layout layout = network.on(input);
    return new Model(
        layout, layout.initial(Initialiser.HE_NORMAL, 9), ModelPrivacy.ofOldLine(privacy));
  }

  private static Model source(String privacy) {
    return model(SOURCE, Shape.vector(2), privacy);
  }

  /** Rings around the origin: nothing that a line could tell apart. */
  private static Examples rings(int size, int rings, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] inputs = new float[2 * size];
    float[] labels = new float[size];
    for (int i = 0; i < size; i++) {
      inputs[2 * i] = (float) random.nextDouble(-2, 2);
      inputs[2 * i + 1] = (float) random.nextDouble(-2, 2);
      double radius = Math.hypot(inputs[2 * i], inputs[2 * i + 1]);
      labels[i] = (int) Math.min(rings - 1, rings * radius / 2);
    }
    return Examples.of(Shape.vector(2), inputs, 1, labels);
  }

  @Test
  void theHeadIsNewAndTheRestIsKept() {
    Model source = source("NOT PRIVATE");
    Transfer transfer = Transfer.headReplaced(source, 5);
    assertEquals("dense(24) tanh dense(16) tanh dense(5)", transfer.network().toString());
    assertEquals(List.of("0", "2"), transfer.keptLayers());
    assertEquals(List.of("4"), transfer.newLayers());
    int body = source.layout().slices().get(4).offset();
    float[] start = transfer.start();
    assertArrayEquals(Arrays.copyOf(source.parameters(), body), Arrays.copyOf(start, body), "kept");
    float[] fresh = transfer.network().on(Shape.vector(2)).initial(Initialiser.PYTORCH_UNIFORM, 0);
    assertArrayEquals(
        Arrays.copyOfRange(fresh, body, fresh.length),
        Arrays.copyOfRange(start, body, start.length),
        "new");
    // Also where the number of classes stays: a head that was kept would not be replaced.
    float[] same = Transfer.headReplaced(source, 2).start();
    assertFalse(
        Arrays.equals(
            Arrays.copyOfRange(source.parameters(), body, same.length),
            Arrays.copyOfRange(same, body, same.length)));
  }

  @Test
  void anotherNetworkKeepsTheLayersThatAreTheSame() {
    Network target = Network.parse("dense(24) tanh dense(7) relu dense(1) loss=squared");
    Transfer transfer = Transfer.into(target, source("NOT PRIVATE"), Initialiser.HE_NORMAL, 2);
    assertEquals(List.of("0"), transfer.keptLayers());
    assertEquals(List.of("2", "4"), transfer.newLayers());
    Model deep =
        model(
            Network.parse(
                "conv(4,3,pad=1) projected(conv(6,3,pad=1) relu) flatten dense(3) dropout(0.1)"),
            new Shape(4, 4, 1),
            "NOT PRIVATE");
    Transfer head = Transfer.headReplaced(deep, 9);
    assertEquals(List.of("0", "1"), head.keptLayers());
    assertEquals(List.of("3"), head.newLayers());
  }

  @Test
  void onlyThePrivateRunIsAccountedAndTheStartIsSaid() {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(50).steps(20).clip(1).build();
    Examples examples = rings(400, 3, 1);
    Transfer transfer = Transfer.headReplaced(source(PRIVATE), 3);
    Result result =
        Trainer.of(transfer.network(), plan)
            .startFrom(transfer)
            .freeze(transfer.kept())
            .learningRate(1)
            .train(examples);
    float[] trained = result.model().parameters();
    float[] start = transfer.start();
    int body = result.model().layout().slices().get(4).offset();
    assertArrayEquals(Arrays.copyOf(start, body), Arrays.copyOf(trained, body), "frozen");
    assertFalse(Arrays.equals(start, trained));
    assertEquals(plan.forUnits(400).ledger(), ((Privacy.Guaranteed) result.privacy()).ledger());
    String statement = result.privacy().statement().replaceAll("\\s+", " ");
    assertTrue(
        statement.contains(
            "Start: Layers 0, 2 began as those of a model that says of itself: "
                + (PRIVATE + ". The promise above")),
        statement);
    assertTrue(statement.contains("pays both prices, and the costs add up"), statement);
    assertTrue(result.privacy().headline().endsWith("; the cost of its start comes on top"));
    assertTrue(result.model().privacy().startsWith(result.privacy().headline() + ". Layers"));
    assertTrue(result.model().privacy().endsWith(PRIVATE), result.model().privacy());
    assertTrue(
        result.provenance().configuration().texts().get("initialParameters").contains(PRIVATE));
    // The next in the chain carries both.
    Transfer next = Transfer.headReplaced(result.model(), 2);
    assertTrue(next.privacy().contains(result.privacy().headline()));
    assertTrue(next.privacy().endsWith(PRIVATE));
    assertThrows(IllegalArgumentException.class, () -> next.declaredPublic("anything"));
  }

  @Test
  void dataThatAreDeclaredPublicAreSaidToBeDeclared() {
    Transfer transfer = Transfer.headReplaced(source("NOT PRIVATE: by request"), 2);
    Result result =
        Trainer.of(SOURCE, PrivacyPlan.noise(1).lotSize(50).steps(2).clip(1).build())
            .startFrom(transfer.declaredPublic("the rings set"))
            .learningRate(1)
            .train(rings(400, 2, 1));
    assertTrue(result.model().privacy().endsWith("data declared public (the rings set)."));
    assertTrue(result.privacy().statement().contains("declared public"));
    assertFalse(result.privacy().statement().contains("NOT PRIVATE"));
  }

  /** Every line that does not promise something for all that a model came from. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOT PRIVATE: this run was non-private by request",
        "INSECURE: lots and noise came from a seed",
        "Nothing is known of the data that it was trained on.",
        "Private: epsilon <= Infinity (at least 0) at delta <= 1e-5 by pld",
        PRIVATE
            + "; but its length was chosen with un-noised values in view, and is outside the"
            + " guarantee",
        PRIVATE + ". Layers 0 began as those of a model that says of itself: Nothing is known.",
        PRIVATE
            + ". Layers 0 began as those of a model that says of itself: NOT PRIVATE: by request"
      })
  void aStartThatProtectsNoOneIsTakenByNameOnly(String line) {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(50).steps(2).clip(1).build();
    Trainer trainer = Trainer.of(SOURCE, plan).learningRate(0);
    Transfer transfer = Transfer.into(SOURCE, source(line), Initialiser.ZEROS, 0);
    refused(
        "model that a private run starts from must be private too, or declared public",
        () -> trainer.startFrom(transfer));
    Result result = trainer.startFromNotPrivate(transfer).train(rings(400, 2, 1));
    assertEquals(Double.POSITIVE_INFINITY, result.epsilon());
    String first = "NOT PRIVATE: because of its start";
    assertTrue(result.privacy().headline().startsWith(first));
    assertTrue(result.model().privacy().startsWith(first), result.model().privacy());
    assertTrue(result.model().privacy().endsWith(line), result.model().privacy());
    assertTrue(result.toJson().contains("\"private\" : false"), result.toJson());
    assertFalse(result.toJson().contains("SHA-256"), result.toJson());
    String statement = result.privacy().statement().replaceAll("\\s+", " ");
    assertTrue(statement.startsWith(first), statement);
    assertTrue(statement.contains("Steps: What the steps of this run released"), statement);
    assertTrue(statement.contains("It promises nothing to those"), statement);
  }

  @Test
  void aRunWithoutPrivacyTakesAnyStart() {
    Transfer transfer = Transfer.into(SOURCE, source("NOT PRIVATE"), Initialiser.ZEROS, 0);
    Result result =
        Trainer.nonPrivate(SOURCE, PrivacyPlan.nonPrivate().lotSize(50).steps(1).build())
            .learningRate(1)
            .startFrom(transfer)
            .train(rings(100, 2, 1));
    assertTrue(result.privacy().headline().startsWith("NOT PRIVATE: this run was non-private"));
    assertFalse(result.toJson().contains("SHA-256"), result.toJson());
  }

  @Test
  void parametersAreDeclaredPublicByName() {
    Trainer trainer =
        Trainer.of(SOURCE, PrivacyPlan.noise(1).lotSize(50).steps(2).clip(1).build())
            .learningRate(1);
    float[] zeros = new float[SOURCE.on(Shape.vector(2)).parameters()];
    Result result = trainer.startFromPublic(zeros, "zeros").train(rings(100, 2, 1));
    String said = "All layers began with parameters declared public (zeros).";
    assertTrue(result.privacy().statement().replaceAll("\\s+", " ").contains("Start: " + said));
    assertEquals(result.privacy().headline() + ". " + said, result.model().privacy());
    assertTrue(result.toJson().contains("SHA-256"), result.toJson());
    refused(
        "parameters to start from must be named on one line",
        () -> trainer.startFromPublic(zeros, " "));
  }

  /** The checkpoint of such a run is found alone, too. */
  @Test
  void aCheckpointSaysWhatItsStartIs(@TempDir Path folder) throws IOException {
    Transfer transfer = Transfer.into(SOURCE, source("NOT PRIVATE"), Initialiser.ZEROS, 0);
    Trainer.of(SOURCE, PrivacyPlan.noise(1).lotSize(50).steps(2).clip(1).build())
        .learningRate(1)
        .checkpoints(folder, 1)
        .startFromNotPrivate(transfer)
        .train(rings(100, 2, 1));
    String line =
        Safetensors.read(folder.resolve("checkpoint.safetensors")).metadata().get("privacy");
    assertTrue(line.startsWith("NOT PRIVATE: because of its start"), line);
  }

  /** Features of one public set, a private head for another: what a run from scratch misses. */
  @Test
  void aPublicStartHelpsAPrivateRun() {
    Model source =
        Trainer.nonPrivate(SOURCE, PrivacyPlan.nonPrivate().lotSize(100).steps(1500).build())
            .optimizer(new Optimizer.Adam())
            .learningRate(0.01)
            .insecureSeed(1)
            .train(rings(2000, 2, 1))
            .model();
    Transfer transfer = Transfer.headReplaced(source, 3).declaredPublic("rings");
    // With each of eight seeds 25 steps gave 0.26 or more; later the other run comes near.
    PrivacyPlan plan = PrivacyPlan.noise(4).lotSize(200).steps(25).clip(1).build();
    Trainer scratch = Trainer.of(transfer.network(), plan).learningRate(2).insecureSeed(2);
    Examples train = rings(1000, 3, 5);
    TestSet test = TestSet.declaredPublic(rings(500, 3, 6));
    double without = accuracy(scratch.train(train, test));
    double with = accuracy(scratch.startFrom(transfer).freeze(transfer.kept()).train(train, test));
    assertTrue(with > without + 0.2, with + " with, " + without + " without");
  }

  private static double accuracy(Result result) {
    return ((Evaluation.Classification) result.evaluation().orElseThrow()).accuracy();
  }

  @Test
  void aLayerMovesByItsOwnRate() {
    Examples examples = rings(300, 2, 1);
    Trainer trainer =
        Trainer.of(SOURCE, PrivacyPlan.noise(1).lotSize(50).steps(1).clip(1).build())
            .learningRate(0.5)
            .weightDecay(new WeightDecay.Decoupled(0.1, false))
            .insecureSeed(4);
    float[] start = SOURCE.on(Shape.vector(2)).initial(Initialiser.PYTORCH_UNIFORM, 0);
    float[] plain = trainer.train(examples).model().parameters();
    float[] slow =
        trainer.rateFactors(Map.of("0", 0.25, "2", 4.0)).train(examples).model().parameters();
    double[] factors = {0.25, 0.25, 4, 4, 1, 1};
    Layout layout = SOURCE.on(Shape.vector(2));
    for (int s = 0; s < 6; s++) {
      for (int i = layout.slices().get(s).offset(); i < layout.slices().get(s).end(); i++) {
        assertEquals(factors[s] * (plain[i] - start[i]), slow[i] - start[i], 1e-5);
      }
    }
  }

  @Test
  void theLongerNameDecides() {
    Network network = Network.parse("dense(4) residual(dense(4) tanh dense(4)) dense(2)");
    Layout layout = network.on(Shape.vector(2));
    double[] factors =
        ParameterGroups.factors(layout, new int[8], Map.of("1.body.2", 3.0, "1", 0.5));
    assertArrayEquals(new double[] {1, 1, 0.5, 0.5, 3, 3, 1, 1}, factors);
  }

  @Test
  void weightsOfAPeerAreRead(@TempDir Path folder) throws IOException {
    Model model = source("NOT PRIVATE");
    Map<String, Safetensors.Tensor> tensors = new LinkedHashMap<>();
    for (TorchLayout.Tensor tensor : TorchLayout.of(model.layout()).tensors()) {
      tensors.put(
          tensor.name(),
          new Safetensors.Tensor(tensor.dimensions(), tensor.toTorch(model.parameters())));
    }
    Path file = folder.resolve("peer.safetensors");
    new Safetensors(tensors, Map.of("format", "pt")).write(file);
    Model read =
        Model.read(file, SOURCE, Shape.vector(2), ModelPrivacy.none("NOT PRIVATE: a peer's"));
    assertArrayEquals(model.parameters(), read.parameters());
    assertEquals("NOT PRIVATE: a peer's", read.privacy());
    source(PRIVATE).save(folder);
    assertEquals(
        PRIVATE,
        Model.read(
                folder.resolve("model.safetensors"),
                SOURCE,
                Shape.vector(2),
                ModelPrivacy.none("public"))
            .privacy(),
        "what a file says of itself is not talked away");
  }

  @Test
  void refusals() {
    Shape image = new Shape(4, 4, 1);
    refused(
        "last layer with parameters must be dense, to be replaced",
        () ->
            Transfer.headReplaced(
                model(Network.parse("conv(3,2) globalavgpool"), image, "NONE"), 4));
    refused(
        "last layer with parameters must be dense, to be replaced",
        () ->
            Transfer.headReplaced(
                model(Network.parse("dense(3) residual(dense(3))"), image, "NONE"), 4));
    refused("outputs of dense must be at least 1", () -> Transfer.headReplaced(source("NONE"), 0));
    refused(
        "network to start from must be one whose first layers are those of",
        () -> Transfer.into(Network.parse("dense(3)"), source("NONE"), Initialiser.ZEROS, 0));
    refused(
        "model to start from must be other than private to be declared public",
        () -> Transfer.headReplaced(source(PRIVATE), 2).declaredPublic("none of it"));
    refused(
        "data of the model to start from must be given",
        () -> Transfer.headReplaced(source("NONE"), 2).declaredPublic(" "));
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(50).steps(2).clip(1).build();
    Trainer trainer = Trainer.of(SOURCE, plan).learningRate(1);
    refused(
        "network must be that of the transfer",
        () -> trainer.startFrom(Transfer.headReplaced(source(PRIVATE), 3)));
    Model wide = model(Network.parse("conv(2,1) flatten dense(2)"), image, PRIVATE);
    refused(
        "input of the examples must be that of the model to start from",
        () ->
            Trainer.of(wide.layout().network(), plan)
                .learningRate(1)
                .startFrom(Transfer.headReplaced(wide, 2))
                .train(Examples.of(new Shape(2, 8, 1), new float[16 * 60], 1, new float[60])));
    refused(
        "rate factor of layer 0 must be finite and greater than 0 (freeze",
        () -> trainer.rateFactors(Map.of("0", 0.0)));
    refused(
        "layer must be the name of one with parameters",
        () -> trainer.rateFactors(Map.of("7", 1.0)).train(rings(60, 2, 1)));
    refused(
        "layer with a rate factor must be one that is not frozen",
        () -> trainer.rateFactors(Map.of("0", 2.0)).freeze("0").train(rings(60, 2, 1)));
  }

  private static void refused(String message, Executable call) {
    String found = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(found.startsWith(message), found);
  }
}
