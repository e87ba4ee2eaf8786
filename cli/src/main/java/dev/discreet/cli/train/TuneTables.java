package dev.discreet.cli.train;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.cli.console.Costs;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.train.Result;
import dev.discreet.recipe.RunObserver;
import dev.discreet.recipe.setup.TrainingSetup;
import dev.discreet.recipe.tune.TunePlan;
import dev.discreet.recipe.tune.TuneRun;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A search in words, before and after. Only public facts, and what the winner released. */
record TuneTables(TunePlan plan) {

  private Guarantee cost() {
    return plan.cost();
  }

  Map<String, String> before() {
    TrainingSetup first = plan.setups().get(0);
    Map<String, String> run = PlanTable.rows(first, cost());
    Map<String, String> rows = new LinkedHashMap<>();
    for (String key : List.of("data", "will spend", "WEAK", "protects")) {
      if (run.containsKey(key)) {
        rows.put(key, run.get(key));
      }
    }
    plan.outlook().ifPresent(outlook -> rows.put("account", outlook.words()));
    rows.put("search", search());
    rows.put("candidates", candidates());
    rows.put("noise", noise());
    rows.put("a run alone", "epsilon " + Digits.up(alone().epsilon()) + ", the first candidate's");
    rows.put("score", run.get("test"));
    return rows;
  }

  /** The rows of the winner's plan, at the price of the search. */
  Map<String, String> of(int candidate) {
    Map<String, String> rows = new LinkedHashMap<>();
    PlanTable.rows(plan.setups().get(candidate), cost())
        .forEach(
            (key, value) -> {
              rows.put(key, value);
              if (key.equals("protects")) {
                rows.put("search", search());
                rows.put("candidates", candidates());
                rows.put("chosen", plan.words(candidate));
              }
            });
    return rows;
  }

  private String search() {
    return plan.section()
        .search()
        .match(
            random ->
                String.format(
                    Locale.ROOT,
                    "the best of a random number of runs, %.4g on average (%s); how many is a"
                        + " secret",
                    random.runs().mean(),
                    random.runs().text()),
            grid -> "a grid: each candidate once, all of them paid for");
  }

  private String candidates() {
    int count = plan.setups().size();
    String last = count == 1 ? "" : "; … " + plan.words(count - 1);
    return count + ": " + plan.words(0) + last;
  }

  private String noise() {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (TrainingSetup setup : plan.setups()) {
      least = Math.min(least, setup.plan().multiplier(0));
      most = Math.max(most, setup.plan().multiplier(0));
    }
    return "multiplier " + Digits.plain(least) + (least == most ? "" : " to " + Digits.plain(most));
  }

  private Guarantee alone() {
    return new PldAccountant().epsilon(plan.ledgers().get(0), cost().delta());
  }

  Map<String, String> after(TuneRun.Done done, Path out) {
    Result result = done.winner();
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("chosen", plan.words(done.candidate()));
    rows.putAll(Summary.scores(result, plan.setups().get(0).data().task()));
    Privacy.Guaranteed kept = (Privacy.Guaranteed) result.privacy();
    rows.put(
        "epsilon",
        Digits.up(kept.guarantee().epsilon())
            + " for the whole search (certified: not above it)"
            + (kept.secure() ? "" : " if keys had been secret; INSECURE: this protects no one"));
    rows.put("delta", Digits.exact(kept.guarantee().delta()));
    PlanTable.weak(rows, kept.guarantee(), plan.setups().get(0).plan());
    done.account().ifPresent(each -> rows.put("account", each.words()));
    rows.put("files", out.toString());
    rows.put("report", out.resolve(RunFiles.REPORT).toString());
    return rows;
  }

  /** The rows of a dry run. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("epsilon", cost().epsilon());
    fields.put("epsilonLower", cost().epsilonLower());
    fields.put("delta", cost().delta());
    ResolvedPlan first = plan.setups().get(0).plan();
    fields.putAll(Costs.weakFields(cost(), first.unit(), first.publicNumber()));
    fields.put("accountant", cost().accountant());
    fields.put("candidates", plan.setups().size());
    plan.outlook().ifPresent(outlook -> fields.put("account", outlook.fields()));
    fields.put("plan", before());
    return fields;
  }

  /**
   * What JSON says of a finished search, without the time: it would tell how many runs there were.
   */
  Map<String, Object> fields(TuneRun.Done done, Path out) {
    TrainingSetup setup = plan.setups().get(done.candidate());
    Map<String, Object> fields =
        new Summary(setup, done.winner(), new RunObserver(), null, done.account(), out).fields();
    fields.remove("seconds");
    fields.remove("examplesPerSecond");
    fields.put("candidates", plan.setups().size());
    fields.put("chosen", plan.own(done.candidate()));
    return fields;
  }
}
