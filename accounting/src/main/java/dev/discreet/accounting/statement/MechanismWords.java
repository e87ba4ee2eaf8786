package dev.discreet.accounting.statement;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.MechanismVisitor;
import java.util.stream.Collectors;

/** Mechanisms in plain words. */
final class MechanismWords implements MechanismVisitor<String> {
  private static final MechanismWords WORDS = new MechanismWords();

  private MechanismWords() {}

  static String of(Ledger.Entry entry) {
    String part = entry.part().isEmpty() ? "" : " on part " + entry.part();
    return entry.count() + " x " + entry.mechanism().accept(WORDS) + part;
  }

  @Override
  public String visit(Mechanism.Gaussian m) {
    return "Gaussian noise, multiplier " + Digits.plain(m.noiseMultiplier());
  }

  @Override
  public String visit(Mechanism.JointGaussian m) {
    return m.noiseMultipliers().size()
        + " Gaussians on one sample, together of multiplier "
        + Digits.plain(m.combined().noiseMultiplier());
  }

  @Override
  public String visit(Mechanism.EstimatedNormGaussian m) {
    return "Gaussian noise, multiplier "
        + Digits.plain(m.noiseMultiplier())
        + ", norms estimated from "
        + m.projections()
        + " projections";
  }

  @Override
  public String visit(Mechanism.Laplace m) {
    return "Laplace noise, scale " + Digits.plain(m.scale());
  }

  @Override
  public String visit(Mechanism.RandomizedResponse m) {
    return "randomised response, truth " + Digits.plain(m.truth()) + " among " + m.categories();
  }

  @Override
  public String visit(Mechanism.Exponential m) {
    return "exponential mechanism, epsilon " + Digits.plain(m.epsilon());
  }

  @Override
  public String visit(Mechanism.PureDp m) {
    return "a mechanism of epsilon " + Digits.plain(m.epsilon());
  }

  @Override
  public String visit(Mechanism.ApproximateDp m) {
    return "a mechanism of epsilon "
        + Digits.plain(m.epsilon())
        + " and delta "
        + Digits.plain(m.delta());
  }

  @Override
  public String visit(Mechanism.RenyiCurve m) {
    return "a mechanism bounded at " + m.orders().size() + " Renyi orders";
  }

  @Override
  public String visit(Mechanism.PoissonSampled m) {
    return m.inner().accept(this) + ", on a Poisson sample of rate " + Digits.plain(m.rate());
  }

  @Override
  public String visit(Mechanism.FixedSizeSampled m) {
    return m.inner().accept(this)
        + ", on "
        + m.lotSize()
        + " of "
        + m.units()
        + " drawn without replacement";
  }

  @Override
  public String visit(Mechanism.BestOf m) {
    int kinds = m.candidates().size();
    String run =
        m.candidates().get(0).stream()
            .map(MechanismWords::of)
            .collect(Collectors.joining(" with "));
    return "the best of a random number of runs ("
        + m.runs().text()
        + "; how many there were is a secret), each of "
        + (kinds == 1 ? "" : kinds + " kinds, the first of ")
        + (run.isEmpty() ? "nothing" : run);
  }
}
