package dev.discreet.accounting;

import dev.discreet.accounting.Mechanism.ApproximateDp;
import dev.discreet.accounting.Mechanism.BestOf;
import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.Mechanism.Exponential;
import dev.discreet.accounting.Mechanism.FixedSizeSampled;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.JointGaussian;
import dev.discreet.accounting.Mechanism.Laplace;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Mechanism.PureDp;
import dev.discreet.accounting.Mechanism.RandomizedResponse;
import dev.discreet.accounting.Mechanism.RenyiCurve;

/**
 * One answer for each kind of mechanism. There are no defaults: whoever adds a kind is told by the
 * compiler what does not know it yet.
 *
 * @param <R> what is answered
 */
public interface MechanismVisitor<R> {
  /**
   * The answer for Gaussian noise.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(Gaussian mechanism);

  /**
   * The answer for several Gaussians on one sample.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(JointGaussian mechanism);

  /**
   * The answer for Gaussian noise on members clipped by an estimated norm.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(EstimatedNormGaussian mechanism);

  /**
   * The answer for Laplace noise.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(Laplace mechanism);

  /**
   * The answer for randomised response.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(RandomizedResponse mechanism);

  /**
   * The answer for the exponential mechanism.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(Exponential mechanism);

  /**
   * The answer for a stated ε.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(PureDp mechanism);

  /**
   * The answer for a stated (ε, δ).
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(ApproximateDp mechanism);

  /**
   * The answer for stated Rényi divergences.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(RenyiCurve mechanism);

  /**
   * The answer for a mechanism on a Poisson sample.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(PoissonSampled mechanism);

  /**
   * The answer for a mechanism on a sample of fixed size.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(FixedSizeSampled mechanism);

  /**
   * The answer for the best of a random number of runs.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(BestOf mechanism);
}
