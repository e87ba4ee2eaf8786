package dev.discreet.algorithms.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * How far a neighbour can move a query's answer, found by trying all neighbours; for small
 * examples.
 *
 * <p><b>Only the global one may set the noise.</b> The local sensitivity is itself a function of
 * the data: the size of noise that is scaled to it reveals something about the data.
 *
 * @param local from this data set
 * @param global from any data set of the same size; never below the local one
 */
public record Sensitivity(double local, double global) {
  private static final double MOST = 1e7;

  /**
   * @param query of any number of values
   * @param domain every value that a row may have
   * @param relation add/remove or replace-one
   */
  public static Sensitivity of(
      ToDoubleFunction<double[]> query, double[] data, double[] domain, Neighbouring relation) {
    Check.that(domain.length >= 1, "values of the domain", "at least 1", 0);
    Check.that(
        relation != Neighbouring.ZERO_OUT,
        "neighbouring",
        "add/remove or replace-one",
        relation.label());
    for (double value : data) {
      Check.that(Arrays.stream(domain).anyMatch(v -> v == value), "value", "in the domain", value);
    }
    double sets = Math.pow(domain.length, data.length);
    Check.that(
        sets * (data.length + 1) * domain.length <= MOST,
        "data set and domain",
        "small enough to try all neighbours, at most 1e7",
        sets * (data.length + 1) * domain.length);
    double global = 0;
    int[] digits = new int[data.length];
    double[] other = new double[data.length];
    for (long set = 0; set < (long) sets; set++) {
      Arrays.setAll(other, i -> domain[digits[i]]);
      global = Math.max(global, local(query, other, domain, relation));
      for (int i = 0; i < digits.length && ++digits[i] == domain.length; i++) {
        digits[i] = 0;
      }
    }
    return new Sensitivity(local(query, data, domain, relation), global);
  }

  private static double local(
      ToDoubleFunction<double[]> query, double[] data, double[] domain, Neighbouring relation) {
    double here = query.applyAsDouble(data);
    double most = 0;
    for (int i = 0; i < data.length; i++) {
      if (relation == Neighbouring.ADD_REMOVE) {
        most = Math.max(most, Math.abs(query.applyAsDouble(without(data, i)) - here));
      } else {
        double[] changed = data.clone();
        for (double value : domain) {
          changed[i] = value;
          most = Math.max(most, Math.abs(query.applyAsDouble(changed) - here));
        }
      }
    }
    if (relation == Neighbouring.ADD_REMOVE) {
      double[] more = Arrays.copyOf(data, data.length + 1);
      for (double value : domain) {
        more[data.length] = value;
        most = Math.max(most, Math.abs(query.applyAsDouble(more) - here));
      }
    }
    return most;
  }

  private static double[] without(double[] data, int i) {
    return DoubleStream.concat(Arrays.stream(data, 0, i), Arrays.stream(data, i + 1, data.length))
        .toArray();
  }
}
