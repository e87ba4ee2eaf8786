package dev.discreet.audit.canary;

import dev.discreet.accounting.Ledger;
import java.util.Comparator;
import java.util.List;

/**
 * What an audit of training runs found out. It depends on the rows without noise: where those are
 * private it is for the operator's eyes.
 *
 * @param ledger what a run claims to have released
 * @param epsilon what a run claims, certified
 * @param delta at which
 * @param confidence of all findings together: honest runs are refuted with at most the chance that
 *     is left of 1
 * @param runs how many were trained
 * @param canaries how many there were; about half of them were in each run
 * @param findings one for each way to judge the scores
 * @param steps scores of canaries at single steps
 * @param whole scores of canaries over whole runs
 */
public record CanaryAudit(
    Ledger ledger,
    double epsilon,
    double delta,
    double confidence,
    int runs,
    int canaries,
    List<Finding> findings,
    Scores steps,
    Scores whole) {

  /**
   * What one way to judge the scores proves.
   *
   * @param method in a few words
   * @param assumes what it takes for granted, in a few words
   * @param epsilon a lower bound on ε; 0 proves nothing
   * @param refutes whether it contradicts what the run claims
   */
  public record Finding(String method, String assumes, double epsilon, boolean refutes) {}

  /**
   * Scores of canaries that were in, and of canaries that were not.
   *
   * @param with larger looks more like being in
   * @param without the same of those that were not
   */
  public record Scores(double[] with, double[] without) {}

  /** Copies the list. */
  public CanaryAudit {
    findings = List.copyOf(findings);
  }

  /** The finding with the largest lower bound. */
  public Finding tightest() {
    return findings.stream().max(Comparator.comparingDouble(Finding::epsilon)).orElseThrow();
  }

  /** Whether some finding contradicts what the run claims: there is a bug, or bad luck. */
  public boolean refuted() {
    return findings.stream().anyMatch(Finding::refutes);
  }
}
