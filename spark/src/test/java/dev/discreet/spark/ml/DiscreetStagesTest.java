package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.Task;
import dev.discreet.recipe.SavedRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages that train, transform, save and load. */
class DiscreetStagesTest {

  @Test
  void aClassifierTrainsTransformsSavesAndLoads(@TempDir Path folder) throws Exception {
    Dataset<Row> people = LocalSpark.people(300);
    DiscreetModel model = LocalSpark.classifier(8).setLabelCol("name").fit(people);
    Dataset<Row> said = model.transform(people);
    double right = new MulticlassClassificationEvaluator().setMetricName("accuracy").evaluate(said);
    assertTrue(right > 0.8, "accuracy " + right);
    assertTrue(new BinaryClassificationEvaluator().evaluate(said) > 0.9);
    Row first = said.first();
    Vector likely = first.getAs("probability");
    assertEquals(1, likely.apply(0) + likely.apply(1), 1e-6);
    assertEquals(likely.argmax(), first.<Double>getAs("prediction"));
    assertTrue(model.statement().contains("person"), model.statement());
    double spent =
        new PldAccountant().epsilon(model.ledger().orElseThrow().ledger(), 1e-5).epsilon();
    assertTrue(spent <= 8 && spent > 7.9, "epsilon " + spent);

    String place = folder.resolve("model").toString();
    model.write().overwrite().save(place);
    assertTrue(Files.exists(folder.resolve("model/run/model.safetensors")));
    assertTrue(Files.exists(folder.resolve("model/run/run.yaml")));
    // The command line reads that folder too.
    assertEquals(
        new Task.Classes(List.of("well", "ill")),
        SavedRun.read(folder.resolve("model/run")).task());
    DiscreetModel loaded = DiscreetModel.load(place);
    assertEquals(model.statement(), loaded.statement());
    assertEquals(model.ledger(), loaded.ledger());
    assertEquals(
        model
            .transform(people)
            .select("person", "probability")
            .sort("person", "features")
            .collectAsList(),
        loaded
            .transform(people)
            .select("person", "probability")
            .sort("person", "features")
            .collectAsList());
  }

  @Test
  void aRegressorPredictsInTheUnitsOfItsLabel() {
    Dataset<Row> vectors = LocalSpark.people(300);
    Dataset<Row> people =
        vectors
            .withColumn(
                "features",
                org.apache.spark.ml.functions.vector_to_array(vectors.col("features"), "float32"))
            .withColumn("person", vectors.col("person").cast("string"));
    DiscreetModel model =
        new DiscreetRegressor()
            .setPrivacyUnitCol("person")
            .setInputShape("2")
            .setLabelCol("age")
            .setLabelBounds("0..60")
            .setEpsilon(10)
            .setLotSize(150)
            .setting("steps", 8)
            .setting("ema", 0)
            .setLearningRate(0.6)
            .fit(people);
    Dataset<Row> said = model.transform(people);
    assertEquals(people.columns().length + 1, said.columns().length);
    double error = said.selectExpr("avg(abs(prediction - age))").first().getDouble(0);
    assertTrue(error < 12, "mean error " + error);
  }

  @Test
  void pipelinesTakeItAndAreSavedAndLoaded(@TempDir Path folder) throws Exception {
    Dataset<Row> people =
        LocalSpark.people(200)
            .selectExpr("person", "label", "age / 60 as years", "label * 0.5 as other");
    VectorAssembler both =
        new VectorAssembler().setInputCols(new String[] {"years", "other"}).setOutputCol("raw");
    // The size is as many as there are bounds.
    DeclaredScaler scaler = new DeclaredScaler().setInputCol("raw").setBounds("0..1,0..1");
    DiscreetClassifier classifier = LocalSpark.classifier();
    classifier.clear(classifier.getParam("inputShape"));
    Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {both, scaler, classifier});
    pipeline.write().overwrite().save(folder.resolve("pipeline").toString());
    Pipeline again = Pipeline.load(folder.resolve("pipeline").toString());
    DiscreetClassifier read = (DiscreetClassifier) again.getStages()[2];
    assertEquals(classifier.values().values(), read.values().values());
    assertEquals("well|ill", read.getOrDefault(read.getParam("classes")));

    PipelineModel model = again.fit(people);
    model.write().overwrite().save(folder.resolve("model").toString());
    PipelineModel loaded = PipelineModel.load(folder.resolve("model").toString());
    assertEquals(
        model.transform(people).select("prediction").collectAsList(),
        loaded.transform(people).select("prediction").collectAsList());
    assertTrue(((DiscreetModel) loaded.stages()[2]).statement().contains("epsilon"));
  }

  /** More rows than a batch of predictions has: each batch has its own features. */
  @Test
  void featuresAreThoseOfTheRowThatIsPredicted() {
    Dataset<Row> vectors = LocalSpark.people(200);
    Dataset<Row> images =
        vectors
            .withColumn(
                "pair",
                org.apache.spark.ml.functions.vector_to_array(vectors.col("features"), "float32"))
            .selectExpr(
                "person",
                "label",
                "transform(sequence(1, 16), i -> cast(pair[i % 2] * i / 16 as float)) as features")
            .coalesce(1);
    DiscreetModel model =
        LocalSpark.classifier()
            .setInputShape("4x4x1")
            .setModel("scattering(1,2,together=1) flatten dense(2)")
            .setLotSize(40)
            .setting("steps", 2)
            .fit(images);
    List<Row> said = model.transform(images).select("features", "rawPrediction").collectAsList();
    float[] inputs = new float[said.size() * 16];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = said.get(i / 16).<Float>getList(0).get(i % 16);
    }
    Model trained = model.model();
    int[] all = IntStream.range(0, said.size()).toArray();
    try (PublicGradients engine =
        Engine.named("cpu")
            .open(
                trained.layout(),
                Examples.of(trained.layout().input(), inputs, 1, new float[said.size()]))) {
      float[] expected = engine.predict(trained.parameters(), all);
      for (int i = 0; i < expected.length; i++) {
        assertEquals(expected[i], said.get(i / 2).<Vector>getAs(1).apply(i % 2), 1e-6);
      }
    }
  }

  @Test
  void parametersAreTheSettingsOfARun() {
    DiscreetClassifier classifier = LocalSpark.classifier();
    String all = classifier.explainParams();
    assertTrue(all.contains("lotSize: "), all);
    assertTrue(all.contains("current: 100"), all);
    assertTrue(!all.contains("--"), all);
    assertTrue(
        List.of("weightDecay", "clipQuantile", "optimizer", "noiseMultiplier", "account").stream()
            .allMatch(classifier::hasParam));
    for (String none : List.of("data", "breakAccount", "passOverAccount", "engine", "heldOut")) {
      assertTrue(!classifier.hasParam(none), none);
    }
    classifier.set("learningRate", "0.25");
    assertEquals("0.25", classifier.values().text(classifier.param("learning-rate").setting()));
    DiscreetClassifier copied = classifier.copy(new ParamMap().put(classifier.param("clip"), 3));
    assertEquals("3", copied.values().text(copied.param("clip").setting()));
    assertEquals("", classifier.values().text(copied.param("clip").setting()));
    assertTrue(Refused.by(copied.setEpochs(3)::values).contains("cannot stand together"));
    assertEquals(classifier.uid(), copied.uid());
    assertTrue(
        Refused.by(() -> classifier.copy(new ParamMap()).setAccount("jdbc:x://host/d#n").write())
            .startsWith("database that the stage to be saved leads to must be the one that"));
    assertEquals(
        "epsilon must be in (0, infinity). Provided value: -1",
        Refused.by(() -> classifier.setting("epsilon", -1)));
    assertTrue(
        Refused.by(() -> classifier.setting("epsilom", 1))
            .startsWith("setting of DiscreetClassifier must be one of "));
  }
}
