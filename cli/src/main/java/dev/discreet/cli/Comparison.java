package dev.discreet.cli;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Accountants;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.theorems.CompositionTheorems;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One setting through every accountant, and through what the seed documents make of it. */
final class Comparison {
  private Comparison() {}

  /** One way to count the cost, and what it answers. */
  record Row(
      String accountant,
      double epsilon,
      double epsilonLower,
      double delta,
      boolean guarantee,
      String note) {

    /** An infinite bound is true, but guarantees nothing. */
    Row {
      guarantee &= Double.isFinite(epsilon);
    }

    Row(Cost cost) {
      this(
          cost.accountant(),
          cost.epsilon(),
          Costs.epsilonLower(cost),
          cost.delta(),
          Costs.guaranteed(cost),
          Costs.note(cost));
    }

    String figure() {
      return Double.isFinite(epsilon) ? Digits.plain(epsilon) : "no bound";
    }

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("accountant", accountant);
      fields.put("epsilon", epsilon);
      fields.put("epsilonLower", epsilonLower);
      fields.put("delta", delta);
      fields.put("guarantee", guarantee);
      if (!note.isEmpty()) {
        fields.put("note", note);
      }
      return fields;
    }
  }

  static Table table(List<Row> rows) {
    Table table =
        new Table().row("accountant", "epsilon", "lower end", "delta", "guarantee?", "note");
    for (Row row : rows) {
      table.row(
          row.accountant,
          row.guarantee ? Digits.up(row.epsilon) : row.figure(),
          row.epsilonLower == 0 || !row.guarantee ? "-" : Digits.down(row.epsilonLower),
          Digits.plain(row.delta),
          row.guarantee ? "yes" : "no",
          row.note);
    }
    return table;
  }

  static List<Row> accountants(Subject subject, double delta) {
    List<Row> rows = new ArrayList<>();
    for (Accountant accountant : Accountants.all()) {
      rows.add(new Row(accountant.epsilon(subject.ledger(), delta)));
    }
    return rows;
  }

  /**
   * The seeds' strong composition, printed to compare with their figures. They speak of a sum that
   * one unit moves by C, and of independent sampling.
   */
  static List<Row> seeds(Plan plan, double delta) {
    double rate = plan.sampling().rate();
    if (plan.sampling() instanceof Sampling.Fixed
        || plan.neighbouring().sensitivity() != 1
        || rate == 0) {
      return List.of();
    }
    double noise = plan.noiseMultiplier();
    return List.of(
        formula(
            "strong as often printed (not a bound)",
            CompositionTheorems.strongOfSeeds(noise, rate, plan.steps(), delta),
            delta,
            "not a guarantee: q*eps0 is too little for a step on a share q"),
        formula(
            "strong, classical eps0 (not a bound)",
            CompositionTheorems.strongClassical(noise, rate, plan.steps(), delta),
            delta,
            "not a guarantee: valid amplification, but eps0 is a theorem only below 1"));
  }

  private static Row formula(String name, double epsilon, double delta, String note) {
    return Double.isNaN(epsilon)
        ? new Row(name, Double.POSITIVE_INFINITY, 0, delta, false, "the formula has no value here")
        : new Row(name, epsilon, 0, delta, false, note);
  }
}
