package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountTerms;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.algorithms.pca.PrivatePca;
import dev.discreet.algorithms.pca.Projection;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.privacy.journal.Journal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scaler, directions, regression and questions, and the account that pays for them. */
class OtherStagesTest {

  private static <S extends PrivateStage<?, S>> S paying(S stage) {
    return stage.setPrivacyUnitCol("person").setUnit("person").setEpsilon(40);
  }

  private static PrivateQuery asked(String query) {
    return paying(new PrivateQuery())
        .setExamplesPerUnit(2)
        .setInputCol("age")
        .setQuery(query)
        .setBounds("0..60");
  }

  @Test
  void questionsAreAnsweredWhereTheRowsAre(@TempDir Path folder) throws Exception {
    Dataset<Row> people = LocalSpark.people(100);
    List<Double> ages =
        people.select("age").collectAsList().stream()
            .map(row -> row.getDouble(0))
            .sorted()
            .toList();
    double sum = ages.stream().mapToDouble(age -> age).sum();
    assertEquals(200, asked("count").fit(people).value(), 3);
    assertEquals(sum, asked("sum").fit(people).value(), 200);
    assertEquals(sum / 200, asked("mean").fit(people).value(), 2);
    PrivateQueryModel median = asked("quantile").setCandidates(601).fit(people);
    assertEquals(ages.get(100), median.value(), 3);
    PrivateQueryModel counts = asked("histogram").setBins(3).setDelta(1e-6).fit(people);
    for (int bin = 0; bin < 3; bin++) {
      int from = 20 * bin;
      long expected = ages.stream().filter(age -> age >= from && age < from + 20).count();
      assertEquals(expected, counts.values().get(bin), 6, "bin " + bin);
    }
    assertEquals(List.of("0..20", "20..40", "40..60"), counts.bins());
    PrivateQueryModel names =
        asked("histogram").setInputCol("name").setCategories("ill|well").fit(people);
    assertEquals(200, names.values().get(0) + names.values().get(1), 4);
    median.write().overwrite().save(folder.resolve("median").toString());
    PrivateQueryModel loaded = PrivateQueryModel.load(folder.resolve("median").toString());
    assertEquals(median.value(), loaded.value());
    assertEquals(median.statement(), loaded.statement());
    assertTrue(loaded.ledger().isPresent());
  }

  @Test
  void theSumsOfDirectionsAreThoseOfOneMachineToTheBit() {
    Dataset<Row> people = LocalSpark.people(100);
    PrivatePcaStage stage = paying(new PrivatePcaStage()).setInputShape("2");
    FeatureReader features = FeatureReader.of(people.schema(), "features", Optional.of("2"));
    List<Row> rows = people.sort("person").collectAsList();
    float[] inputs = new float[2 * rows.size()];
    long[] owners = new long[rows.size()];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = rows.get(i).getLong(0);
      System.arraycopy(features.read(rows.get(i).get(1)), 0, inputs, 2 * i, 2);
    }
    PrivateData here =
        PrivateData.of(
            Examples.of(Shape.vector(2), inputs, 1, new float[owners.length]),
            Units.byOwner(owners));
    Projection expected = directions(here);
    Projection found = directions(stage.data(people, features));
    assertArrayEquals(expected.directions()[0], found.directions()[0]);
    assertArrayEquals(expected.eigenvalues(), found.eigenvalues());
  }

  /** With noise that is the same each time, so that all that can differ is the sums. */
  private static Projection directions(PrivateData data) {
    try (PrivacySession session =
        PrivacySession.open(Journal.inMemory(Neighbouring.ADD_REMOVE), Randomness.insecure(1))) {
      return PrivatePca.fit(session, data, 2, 0.5);
    }
  }

  @Test
  void aPipelineOfScalerDirectionsAndRegressionIsSavedAndLoaded(@TempDir Path folder)
      throws Exception {
    Dataset<Row> people = LocalSpark.people(200).withColumnRenamed("features", "raw");
    Pipeline pipeline =
        new Pipeline()
            .setStages(
                new PipelineStage[] {
                  new DeclaredScaler().setInputCol("raw").setBounds("-1..1,-1..1"),
                  paying(new PrivatePcaStage()).setK(1).setDelta(1e-6),
                  paying(new FunctionalRegressionStage())
                      .setLabelCol("age")
                      .setLabelBounds("0..60")
                      .setDelta(1e-6)
                });
    pipeline.write().overwrite().save(folder.resolve("stages").toString());
    PipelineModel model = Pipeline.load(folder.resolve("stages").toString()).fit(people);
    model.write().overwrite().save(folder.resolve("model").toString());
    PipelineModel loaded = PipelineModel.load(folder.resolve("model").toString());
    Dataset<Row> said = loaded.transform(people);
    Vector scaled = said.first().getAs("features");
    Vector raw = said.first().getAs("raw");
    assertEquals((raw.apply(0) + 1) / 2, scaled.apply(0), 1e-12);
    assertEquals(1, said.first().<Vector>getAs("directions").size());
    double error = said.selectExpr("avg(abs(prediction - age))").first().getDouble(0);
    assertTrue(error < 4, "mean error " + error);
    assertEquals(
        ((FunctionalRegressionModel) model.stages()[2]).statement(),
        ((FunctionalRegressionModel) loaded.stages()[2]).statement());
    PrivatePcaModel directions = (PrivatePcaModel) loaded.stages()[1];
    assertTrue(directions.statement().contains("person"), directions.statement());
    assertTrue(directions.ledger().isPresent());
  }

  @Test
  void oneAccountPaysForAllOfThem(@TempDir Path folder) {
    String place = folder.resolve("people.account").toString();
    Account account =
        Account.open(
            AccountPlaces.of(place),
            new AccountTerms(
                "person", "person", Neighbouring.ADD_REMOVE, new PrivacyFilter(12, 1e-5)));
    Dataset<Row> people = LocalSpark.people(100);
    PrivateQueryModel count =
        new PrivateQuery()
            .setPrivacyUnitCol("person")
            .setExamplesPerUnit(2)
            .setInputCol("age")
            .setQuery("count")
            .setEpsilon(2)
            .setAccount(place)
            .fit(people);
    assertTrue(count.statement().contains("account"), count.statement());
    double afterCount = account.state().share();
    assertTrue(afterCount > 0);
    new PrivatePcaStage()
        .setPrivacyUnitCol("person")
        .setInputShape("2")
        .setK(1)
        .setEpsilon(2)
        .setAccount(place)
        .fit(people);
    double afterPca = account.state().share();
    assertTrue(afterPca > afterCount);
    DiscreetModel model =
        LocalSpark.classifier(3).setting("steps", 2).setAccount(place).fit(people);
    assertTrue(model.statement().contains("account"), model.statement());
    double afterRun = account.state().share();
    assertTrue(afterRun > afterPca);
    String full = Refused.by(() -> asked("mean").setEpsilon(30).setAccount(place).fit(people));
    assertTrue(full.contains("What would fit: epsilon"), full);
    String other =
        Refused.by(
            () ->
                asked("mean")
                    .setPrivacyUnitCol("label")
                    .setEpsilon(1)
                    .setAccount(place)
                    .fit(people));
    assertTrue(other.startsWith("unit column must be that of the account"), other);
    assertEquals(afterRun, account.state().share());
  }
}
