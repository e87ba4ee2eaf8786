package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.ml.tuning.TrainValidationSplit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Searches of Spark's, which spend and account for nothing. */
class UnpaidSearchTest {
  private final DiscreetClassifier classifier = LocalSpark.classifier();
  private final ParamMap[] grid =
      new ParamGridBuilder()
          .addGrid(
              classifier.param("learning-rate"),
              scala.collection.immutable.List.from(
                  scala.jdk.javaapi.CollectionConverters.asScala(List.<Object>of(0.5, 1))))
          .build();

  @Test
  void crossValidationIsRefused() {
    Dataset<Row> people = LocalSpark.people(20);
    for (int threads : new int[] {1, 2}) {
      refused("CrossValidator", () -> validator(classifier).setParallelism(threads).fit(people));
      refused("CrossValidator", () -> validator(piped()).setParallelism(threads).fit(people));
    }
  }

  @Test
  void aSplitForValidationIsRefused() {
    Dataset<Row> people = LocalSpark.people(20);
    for (Estimator<?> each : List.of(classifier, piped())) {
      refused(
          "TrainValidationSplit",
          () ->
              new TrainValidationSplit()
                  .setEstimator(each)
                  .setEvaluator(new MulticlassClassificationEvaluator())
                  .setEstimatorParamMaps(grid)
                  .setParallelism(2)
                  .fit(people));
    }
  }

  @Test
  void severalFitsAtOnceAreRefused() {
    Dataset<Row> people = LocalSpark.people(20);
    refused(
        "2 maps of parameters",
        () ->
            classifier.fit(
                people,
                scala.collection.immutable.List.from(
                    scala.jdk.javaapi.CollectionConverters.asScala(List.of(grid)))));
  }

  @Test
  void severalFitsOfAPipelineAreRefused() {
    Dataset<Row> people = LocalSpark.people(20);
    scala.collection.immutable.List<ParamMap> maps =
        scala.collection.immutable.List.from(
            scala.jdk.javaapi.CollectionConverters.asScala(List.of(grid)));
    refused("several maps of parameters", () -> piped().fit(people, maps));
    DiscreetTuner tuner = new DiscreetTuner(classifier).setEstimatorParamMaps(grid);
    Pipeline searching = new Pipeline().setStages(new PipelineStage[] {tuner});
    refused("several maps of parameters", () -> searching.fit(people, maps));
    // One map is one fit.
    classifier.setLotSize(10).setting("steps", 1);
    assertEquals(1, piped().fit(people, grid[0]).stages().length);
    assertEquals(1, piped().fit(people).stages().length);
  }

  @Test
  void aStageThatASearchHidesIsRefusedWhereItIsFitted() {
    Dataset<Row> people = LocalSpark.people(20);
    Exception refused =
        assertThrows(
            Exception.class, () -> validator(new Hidden(classifier)).setParallelism(2).fit(people));
    Throwable cause = refused.getCause() == null ? refused : refused.getCause();
    assertTrue(cause.getMessage().endsWith("Provided value: CrossValidator"), cause::getMessage);
  }

  /** Does not ask its stage for a schema. */
  private static final class Hidden extends Estimator<DiscreetModel> {
    private final DiscreetClassifier stage;

    Hidden(DiscreetClassifier stage) {
      this.stage = stage;
    }

    @Override
    public String uid() {
      return "hidden";
    }

    @Override
    public DiscreetModel fit(Dataset<?> dataset) {
      return stage.fit(dataset);
    }

    @Override
    public Estimator<DiscreetModel> copy(ParamMap extra) {
      return new Hidden(stage.copy(extra));
    }

    @Override
    public StructType transformSchema(StructType schema) {
      return schema;
    }
  }

  private Pipeline piped() {
    return new Pipeline().setStages(new PipelineStage[] {classifier});
  }

  private CrossValidator validator(Estimator<?> of) {
    return new CrossValidator()
        .setEstimator(of)
        .setEvaluator(new MulticlassClassificationEvaluator())
        .setEstimatorParamMaps(grid)
        .setNumFolds(2);
  }

  private static void refused(String search, Runnable work) {
    String said = Refused.by(work::run);
    assertTrue(said.contains("DiscreetTuner") && said.endsWith("Provided value: " + search), said);
  }
}
