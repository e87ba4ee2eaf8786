package dev.discreet.algorithms.query;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.PrivacySession;
import java.util.List;
import java.util.function.Function;

/** A noisy vector and the law of the noise on each of its values. */
public record Released(NoisyValue noisy, NoiseLaw law, Ledger cost) {
  public static Released of(
      PrivacySession session, Protection protection, Function<Neighbouring, GridVector> question) {
    Neighbouring relation = session.ledger().neighbouring();
    Mechanism.AddedNoise mechanism = protection.mechanism(relation);
    double[] sensitivity = new double[1];
    NoisyValue noisy =
        session.release(
            mechanism,
            id -> {
              GridVector value = question.apply(relation);
              sensitivity[0] = value.sensitivity();
              return value;
            });
    NoiseLaw law =
        new NoiseLaw(
            mechanism.law(), mechanism.noiseScales().get(0) * sensitivity[0], noisy.step());
    return new Released(noisy, law, Ledger.of(relation, mechanism, 1));
  }

  double deviation() {
    return law.deviation();
  }

  Answer answer(NoisyNumber estimate) {
    return new Answer(List.of(estimate), cost);
  }
}
