package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.PublicApi;
import java.util.List;

/**
 * A layer that applies one function to each value by itself. It has no parameters.
 *
 * <pre>{@code
 * Network network = Network.builder().dense(50).add(new Activation.Tanh()).dense(10).build();
 * }</pre>
 */
@PublicApi
public sealed interface Activation extends Layer {

  /**
   * Calls the visitor's method for this kind of activation.
   *
   * @param visitor what is to be done with each kind
   * @param <R> what the visitor answers
   * @return the visitor's answer
   */
  <R> R accept(ActivationVisitor<R> visitor);

  @Override
  default <R> R accept(LayerVisitor<R> visitor) {
    return visitor.activation(this);
  }

  @Override
  default Shape output(Shape input) {
    return input;
  }

  @Override
  default List<Parameter> parameters(Shape input) {
    return List.of();
  }

  /** max(x, 0). */
  record Relu() implements Activation {
    @Override
    public <R> R accept(ActivationVisitor<R> visitor) {
      return visitor.relu(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * x above 0, slope·x below.
   *
   * @param slope what values below 0 are multiplied by
   */
  record LeakyRelu(double slope) implements Activation {
    /** Refuses a slope that is not finite. */
    public LeakyRelu {
      Check.that(Double.isFinite(slope), "slope of leakyrelu", "finite", slope);
    }

    @Override
    public <R> R accept(ActivationVisitor<R> visitor) {
      return visitor.leakyRelu(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * x above 0, α(eˣ − 1) below.
   *
   * @param alpha α: large negative values come close to −α
   */
  record Elu(double alpha) implements Activation {
    /** Refuses an α that is not finite. */
    public Elu {
      Check.that(Double.isFinite(alpha), "alpha of elu", "finite", alpha);
    }

    @Override
    public <R> R accept(ActivationVisitor<R> visitor) {
      return visitor.elu(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /** x·Φ(x) with the exact normal distribution function Φ, not the approximation by a tanh. */
  record Gelu() implements Activation {
    @Override
    public <R> R accept(ActivationVisitor<R> visitor) {
      return visitor.gelu(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /** The hyperbolic tangent of x. */
  record Tanh() implements Activation {
    @Override
    public <R> R accept(ActivationVisitor<R> visitor) {
      return visitor.tanh(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /** 1 / (1 + e^(−x)). */
  record Sigmoid() implements Activation {
    @Override
    public <R> R accept(ActivationVisitor<R> visitor) {
      return visitor.sigmoid(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }

  /**
   * scale / (1 + e^(−temperature·x)) − offset (Papernot et al. 2021); (2, 2, 1) is tanh.
   *
   * @param scale how far apart the two ends are
   * @param temperature what x is multiplied by
   * @param offset what is subtracted in the end
   */
  record TemperedSigmoid(double scale, double temperature, double offset) implements Activation {
    /** Refuses numbers that are not finite. */
    public TemperedSigmoid {
      Check.that(
          Double.isFinite(scale) && Double.isFinite(temperature) && Double.isFinite(offset),
          "scale, temperature and offset of temperedsigmoid",
          "finite",
          Digits.numbersIn(List.of(scale, temperature, offset)));
    }

    @Override
    public <R> R accept(ActivationVisitor<R> visitor) {
      return visitor.temperedSigmoid(this);
    }

    @Override
    public String toString() {
      return NetworkSyntax.text(this);
    }
  }
}
