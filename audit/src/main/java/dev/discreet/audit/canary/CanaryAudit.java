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
 * @param confidence of all findings together, where what they assume holds: honest runs are then
 *     refuted with at most the chance that is left of 1
 * @param runs how many were trained
 * @param canaries how many there were; about half of them were in each run
 * @param findings one for each way to judge the scores
 * @param leftOut of the ways to judge that this run does not allow, which and why, in a few words
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
    List<String> leftOut,
    Scores steps,
    Scores whole) {

  /**
   * What one way to judge the scores proves.
   *
   * @param method in a few words
   * @param assumes what it takes for granted, in a few words; {@link #NOTHING} for a proof
   * @param epsilon a lower bound on ε where that holds; 0 says nothing
   * @param refutes whether it contradicts what the run claims
   */
  public record Finding(String method, String assumes, double epsilon, boolean refutes) {
    /** What a proof assumes. */
    public static final String NOTHING = "nothing";

    /** Whether it holds whatever the run does. */
    public boolean isProof() {
      return assumes.equals(NOTHING);
    }
  }

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
    leftOut = List.copyOf(leftOut);
  }

  /** The largest lower bound that assumes nothing. */
  public Finding proven() {
    return largest(true);
  }

  /** The largest lower bound of those that hold only where what they assume does. */
  public Finding estimated() {
    return largest(false);
  }

  private Finding largest(boolean proof) {
    return findings.stream()
        .filter(each -> each.isProof() == proof)
        .max(Comparator.comparingDouble(Finding::epsilon))
        .orElseThrow();
  }

  /** Whether nothing was found, for or against: such an audit must not pass for a good one. */
  public boolean saysNothing() {
    return findings.stream().allMatch(each -> each.epsilon() == 0 && !each.refutes());
  }

  /**
   * Whether some finding contradicts what the run claims: there is a bug, or bad luck, or what the
   * finding assumes does not hold.
   */
  public boolean refuted() {
    return findings.stream().anyMatch(Finding::refutes);
  }
}
