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
   * Of Gaussian noise.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(Gaussian mechanism);

  /**
   * Of several Gaussians on one sample.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(JointGaussian mechanism);

  /**
   * Of Gaussian noise on members clipped by an estimated norm.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(EstimatedNormGaussian mechanism);

  /**
   * Of Laplace noise.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(Laplace mechanism);

  /**
   * Of randomised response.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(RandomizedResponse mechanism);

  /**
   * Of the exponential mechanism.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(Exponential mechanism);

  /**
   * Of a stated ε.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(PureDp mechanism);

  /**
   * Of a stated (ε, δ).
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(ApproximateDp mechanism);

  /**
   * Of stated Rényi divergences.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(RenyiCurve mechanism);

  /**
   * Of a mechanism on a Poisson sample.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(PoissonSampled mechanism);

  /**
   * Of a mechanism on a sample of fixed size.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(FixedSizeSampled mechanism);

  /**
   * Of the best of a random number of runs.
   *
   * @param mechanism of this kind
   * @return the answer
   */
  R visit(BestOf mechanism);
}
