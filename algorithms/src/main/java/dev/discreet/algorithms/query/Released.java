package dev.discreet.algorithms.query;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.PrivacySession;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** A noisy vector and the deviation of its noise. */
record Released(NoisyValue noisy, double deviation, Mechanism mechanism) {
  static Released of(
      PrivacySession session, Protection protection, Function<Neighbouring, GridVector> question) {
    Neighbouring relation = session.ledger().neighbouring();
    Mechanism mechanism = protection.mechanism(relation);
    double[] sensitivity = new double[1];
    NoisyValue noisy =
        session.release(
            mechanism,
            id -> {
              GridVector value = question.apply(relation);
              sensitivity[0] = value.sensitivity();
              return value;
            });
    return new Released(noisy, protection.deviation(relation, sensitivity[0]), mechanism);
  }

  Answer answer(double value, double valuesDeviation) {
    return new Answer(List.of(value), OptionalDouble.of(valuesDeviation), mechanism);
  }
}
