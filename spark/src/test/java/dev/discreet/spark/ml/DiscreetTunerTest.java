package dev.discreet.spark.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountTerms;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search that is paid for. */
class DiscreetTunerTest {

  @Test
  void theModelStatesTheCostOfTheWholeSearch(@TempDir Path folder) throws Exception {
    Dataset<Row> people = LocalSpark.people(200);
    List<Row> others = LocalSpark.rows(260).subList(420, 520);
    LocalSpark.frame(LocalSpark.PEOPLE, others).createOrReplaceTempView("others");
    String place = folder.resolve("people.account").toString();
    Account account =
        Account.open(
            AccountPlaces.of(place),
            new AccountTerms(
                "person", "person", Neighbouring.ADD_REMOVE, new PrivacyFilter(100, 1e-5)));
    DiscreetClassifier classifier =
        LocalSpark.classifier().setting("steps", 3).setPublicTest("others").setAccount(place);
    DiscreetTuner tuner =
        new DiscreetTuner(classifier)
            .setEstimatorParamMaps(
                new ParamMap[] {
                  new ParamMap().put(classifier.param("learning-rate"), 2.0),
                  new ParamMap().put(classifier.param("learning-rate"), 1e-6)
                })
            .setSearch("grid");
    new Pipeline()
        .setStages(new PipelineStage[] {tuner})
        .write()
        .overwrite()
        .save(folder.resolve("tuner").toString());
    DiscreetTuner again =
        (DiscreetTuner) Pipeline.load(folder.resolve("tuner").toString()).getStages()[0];
    DiscreetModel best = again.fit(people);
    Ledger whole = best.ledger().orElseThrow().ledger();
    double cost = new PldAccountant().epsilon(whole, 1e-5).epsilon();
    assertEquals(cost, best.files().json("run.json").number("epsilon"));
    assertTrue(best.statement().contains("account"), best.statement());
    // The account has taken all of it.
    assertEquals(account.state().terms().cost(whole), account.state().spent());
    String run = best.files().text("run.yaml");
    assertTrue(run.contains("learning-rate: 2"), run);
    // Three steps of each of two runs.
    assertEquals(6, whole.totals().values().stream().mapToLong(each -> each).sum());
    assertEquals(classifier.uid(), best.uid());
    // Private rows are no public ones.
    LocalSpark.people(5).createOrReplaceTempView("others");
    double spent = account.state().share();
    assertTrue(Refused.by(() -> again.fit(people)).contains("public"));
    assertEquals(spent, account.state().share());
  }

  @Test
  void aSearchWithoutPublicRowsIsRefused() {
    DiscreetClassifier classifier = LocalSpark.classifier();
    DiscreetTuner tuner =
        new DiscreetTuner(classifier)
            .setEstimatorParamMaps(
                new ParamMap[] {new ParamMap().put(classifier.param("clip"), 1.0)});
    assertEquals(
        "publicTest of DiscreetClassifier must be set to a table of public rows, on which a search"
            + " scores its runs. Provided value: none",
        Refused.by(() -> tuner.fit(LocalSpark.people(10))));
    assertTrue(
        Refused.by(
                () ->
                    tuner.setEstimatorParamMaps(
                        new ParamMap[] {new ParamMap().put(classifier.getParam("classes"), "2")}))
            .startsWith("parameter to search must be a setting"));
  }

  @Test
  void theShapeIsThatOfANegativeBinomialNumberOfRuns() {
    LocalSpark.frame(LocalSpark.PEOPLE, LocalSpark.rows(60).subList(100, 120))
        .createOrReplaceTempView("shaped");
    DiscreetClassifier classifier = LocalSpark.classifier().setPublicTest("shaped");
    DiscreetTuner tuner =
        new DiscreetTuner(classifier)
            .setEstimatorParamMaps(
                new ParamMap[] {new ParamMap().put(classifier.param("clip"), 1.0)})
            .setShape(0.25);
    String said = Refused.by(() -> tuner.fit(LocalSpark.people(10)));
    assertTrue(said.contains("shape") && said.contains("negative-binomial"), said);
  }
}
