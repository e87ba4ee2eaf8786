package dev.discreet.cli.console;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.calibration.MechanismCalibration;

/** A mechanism whose noise for one release is known in closed form. */
public enum SingleMechanism {
  GAUSSIAN("gaussian", "noiseMultiplier"),
  CLASSICAL_GAUSSIAN("classical-gaussian", "noiseMultiplier"),
  LAPLACE("laplace", "scale");

  private final String label;
  private final String field;

  SingleMechanism(String label, String field) {
    this.label = label;
    this.field = field;
  }

  public String label() {
    return label;
  }

  /** What JSON calls the noise. */
  public String field() {
    return field;
  }

  public static SingleMechanism of(String label) {
    for (SingleMechanism mechanism : values()) {
      if (mechanism.label.equals(label)) {
        return mechanism;
      }
    }
    throw new IllegalArgumentException(
        "mechanism must be one of gaussian, classical-gaussian, laplace. Provided value: " + label);
  }

  /** Noise relative to the sensitivity. */
  public double noise(double epsilon, double delta) {
    return switch (this) {
      case GAUSSIAN -> MechanismCalibration.analyticGaussian(epsilon, delta);
      case CLASSICAL_GAUSSIAN -> MechanismCalibration.classicalGaussian(epsilon, delta);
      case LAPLACE -> MechanismCalibration.laplace(epsilon);
    };
  }

  public Mechanism mechanism(double noise) {
    return this == LAPLACE ? new Mechanism.Laplace(noise) : new Mechanism.Gaussian(noise);
  }
}
