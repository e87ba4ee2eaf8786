package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountTerms;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.CountVectorizer;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a frame's rows, metadata and files must not decide or tell without being paid for. */
class PrivateFramesTest {

  private static VectorAssembler assembler(String... columns) {
    return new VectorAssembler().setInputCols(columns).setHandleInvalid("keep");
  }

  @Test
  void aRowWithANullInAPipelineCountsAsZero() {
    // A seed anyone can guess, so that all that can differ is the sums.
    DiscreetClassifier seeded =
        LocalSpark.classifier()
            .setAcceptMisfits(true)
            .setDeclaredUnits(60)
            .setLotSize(40)
            .setting("steps", 2)
            .setting("insecure-seed", 5);
    Pipeline pipeline =
        new Pipeline()
            .setStages(
                new PipelineStage[] {
                  assembler("age", "label").setOutputCol("raw"),
                  new DeclaredScaler().setInputCol("raw").setBounds("0..100,0..1"),
                  seeded
                });
    List<Row> rows = new ArrayList<>(LocalSpark.rows(60));
    float[] expected = fitted(pipeline, rows);
    rows.add(RowFactory.create(1000L, null, 1.0, "ill", null));
    assertArrayEquals(expected, fitted(pipeline, rows));
    rows.set(120, RowFactory.create(1000L, null, 1.0, "ill", 90.0));
    assertTrue(!java.util.Arrays.equals(expected, fitted(pipeline, rows)));
  }

  private static float[] fitted(Pipeline pipeline, List<Row> rows) {
    Dataset<Row> frame = LocalSpark.frame(LocalSpark.PEOPLE, rows).drop("features");
    return ((DiscreetModel) pipeline.fit(frame).stages()[2]).model().parameters();
  }

  @Test
  void aFailureOnTheClusterTellsNoValue(@TempDir Path folder) {
    String files = folder.resolve("people").toString();
    LocalSpark.people(20).drop("features").write().parquet(files);
    LocalSpark.people(5)
        .selectExpr("label", "array(age, label) as features")
        .createOrReplaceTempView("public_people");
    DiscreetClassifier classifier = LocalSpark.classifier().setPublicTest("public_people");
    List<Estimator<?>> stages =
        List.of(
            LocalSpark.classifier(),
            unaccounted(new PrivatePcaStage()).setDelta(1e-5).setInputShape("2").setK(1),
            unaccounted(new FunctionalRegressionStage()).setDelta(1e-5).setInputShape("2"),
            unaccounted(new PrivateQuery()).setQuery("sum").setBounds("0..1").setInputCol("secret"),
            new DiscreetTuner(classifier)
                .setSearch("grid")
                .setEstimatorParamMaps(
                    new ParamMap[] {new ParamMap().put(classifier.param("clip"), 1.0)}));
    for (Dataset<Row> people :
        List.of(
            LocalSpark.people(20).drop("features"), LocalSpark.session().read().parquet(files))) {
      // The names are no numbers, and Spark's own message quotes one.
      Dataset<Row> torn =
          people.selectExpr(
              "person",
              "label",
              "cast(name as double) as secret",
              "array(age, cast(name as double)) as features");
      for (Estimator<?> each : stages) {
        IllegalStateException failed =
            assertThrows(IllegalStateException.class, () -> each.fit(torn), each::uid);
        assertEquals(FrameReading.FAILED, failed.getMessage());
        assertNull(failed.getCause());
        assertEquals(0, failed.getSuppressed().length);
      }
    }
  }

  private static <S extends PrivateStage<?, S>> S unaccounted(S stage) {
    return stage.setPrivacyUnitCol("person").setUnit("person").setEpsilon(1).setExamplesPerUnit(2);
  }

  @Test
  void sizesThatRowsMayHaveDecidedAreNotTaken() {
    DiscreetClassifier sizeless = LocalSpark.classifier();
    sizeless.clear(sizeless.getParam("inputShape"));
    Dataset<Row> people = LocalSpark.people(20);
    // Spark takes the size of the first row's vector.
    Dataset<Row> assembled =
        new VectorAssembler()
            .setInputCols(new String[] {"features", "age"})
            .setOutputCol("all")
            .transform(people);
    // As many numbers as there are names in the rows.
    Dataset<Row> words = people.selectExpr("person", "label", "array(name) as names");
    Dataset<Row> counted =
        new CountVectorizer().setInputCol("names").setOutputCol("all").fit(words).transform(words);
    // One bound for all leaves the size to the rows.
    Dataset<Row> scaled =
        new DeclaredScaler()
            .setInputCol("all")
            .setOutputCol("scaled")
            .setBounds("0..1")
            .transform(counted)
            .drop("all")
            .withColumnRenamed("scaled", "all");
    for (Dataset<Row> each : List.of(assembled, counted, scaled)) {
      for (PrivateStage<?, ?> stage :
          List.of(
              sizeless.setFeaturesCol("all"),
              unaccounted(new PrivatePcaStage()).setFeaturesCol("all").setK(1).setDelta(1e-5),
              unaccounted(new FunctionalRegressionStage()).setFeaturesCol("all").setDelta(1e-5))) {
        String said = Refused.by(() -> stage.fit(each));
        assertTrue(said.startsWith("inputShape of column all must be declared"), said);
      }
    }
  }

  @Test
  void anAccountBesideTheFilesIsNotPassedOver(@TempDir Path folder) throws Exception {
    Path written = folder.resolve("written");
    LocalSpark.people(20).coalesce(1).write().parquet(written.toString());
    Path file = Files.createDirectory(folder.resolve("my data")).resolve("people.parquet");
    try (Stream<Path> parts = Files.list(written)) {
      Files.copy(
          parts.filter(each -> each.toString().endsWith(".parquet")).findFirst().orElseThrow(),
          file);
    }
    DiscreetClassifier classifier = LocalSpark.classifier().setLotSize(10).setting("steps", 1);
    Dataset<Row> people = LocalSpark.session().read().parquet(file.toString());
    classifier.fit(people);
    Account account =
        Account.open(
            AccountPlaces.of(file + ".account"),
            new AccountTerms(
                "person", "person", Neighbouring.ADD_REMOVE, new PrivacyFilter(100, 1e-5)));
    String refused = " must be set to that of the frame's files: " + account.place();
    Dataset<Row> cached = people.filter("label >= 0").cache();
    DiscreetClassifier tested = LocalSpark.classifier().setPublicTest("people_of_files");
    DiscreetTuner tuner =
        new DiscreetTuner(tested)
            .setEstimatorParamMaps(new ParamMap[] {new ParamMap().put(tested.param("clip"), 1.0)});
    for (Dataset<Row> each : List.of(people, cached)) {
      for (Estimator<?> stage :
          List.of(
              classifier,
              tuner,
              unaccounted(new PrivateQuery()).setQuery("count").setInputCol("age"))) {
        String said = Refused.by(() -> stage.fit(each));
        assertTrue(said.contains(refused), said);
      }
    }
    cached.unpersist();
    assertEquals(0, account.state().share());
    Account other =
        Account.open(
            AccountPlaces.of(folder.resolve("other.account").toString()),
            new AccountTerms(
                "person", "person", Neighbouring.ADD_REMOVE, new PrivacyFilter(100, 1e-5)));
    String another = Refused.by(() -> classifier.setAccount(other.place()).fit(people));
    assertTrue(another.contains(refused), another);
    classifier.setAccount(account.place()).fit(people);
    assertTrue(account.state().share() > 0);
  }
}
