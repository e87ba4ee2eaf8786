package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.evaluate.LabelUnit;
import java.util.List;
import java.util.function.Function;

/**
 * What is to be predicted. It is declared or public, never read off private rows.
 *
 * <pre>{@code
 * Task task = new Task.Classes(List.of("no", "yes"));
 * Network network = Network.named("logistic", task.outputs());
 * }</pre>
 */
@PublicApi
public sealed interface Task {

  /**
   * How many values a model gives for an example.
   *
   * @return one for each class, or one for a number
   */
  int outputs();

  /**
   * What there is to say of each kind of task. A new kind is a further parameter, so that every
   * caller fails to compile until it knows it.
   *
   * @param <T> what is said
   * @param classes for one of several classes
   * @param number for a number
   * @return what the function of this kind gives
   */
  <T> T match(Function<Classes, T> classes, Function<Number, T> number);

  /**
   * What errors of its predictions are counted in.
   *
   * @return the unit of a number; of classes none
   */
  default LabelUnit labelUnit() {
    return match(
        classes -> LabelUnit.SCALED,
        number -> new LabelUnit(number.name(), number.high() - number.low()));
  }

  /**
   * One of several classes; a target is an index into the names.
   *
   * @param names at least two, distinct
   */
  record Classes(List<String> names) implements Task {
    /**
     * Checks the names.
     *
     * @param names two or more, all different
     */
    public Classes {
      names = List.copyOf(names);
      Check.that(names.size() >= 2, "classes", "at least 2", names.size());
      Check.that(names.stream().distinct().count() == names.size(), "classes", "distinct", names);
    }

    @Override
    public int outputs() {
      return names.size();
    }

    @Override
    public <T> T match(Function<Classes, T> classes, Function<Number, T> number) {
      return classes.apply(this);
    }
  }

  /**
   * A number in declared bounds; a target is (value − low)/(high − low), after the value was moved
   * into the bounds.
   *
   * @param name of what is predicted
   * @param low the lower bound
   * @param high the upper bound
   */
  record Number(String name, double low, double high) implements Task {
    /**
     * Checks the bounds.
     *
     * @param name of what is predicted
     * @param low finite
     * @param high finite and above the other
     */
    public Number {
      ValueBounds.check(name, low, high);
    }

    @Override
    public int outputs() {
      return 1;
    }

    @Override
    public <T> T match(Function<Classes, T> classes, Function<Number, T> number) {
      return number.apply(this);
    }
  }
}
