package dev.discreet.core.nn;

import dev.discreet.core.nn.ArgumentType.Sides;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * How one kind of layer or loss is written. Reading and writing both follow from the row, so they
 * cannot drift apart.
 */
sealed interface SyntaxRow<T> {
  String name();

  /** What it describes. */
  Class<T> kind();

  /**
   * Reads what follows the name.
   *
   * @param start where the name stands
   */
  T read(NetworkParser parser, int start);

  /** Whether this is the row that writes such a value. */
  boolean writes(Object value);

  String text(T value);

  /**
   * A name with its arguments: {@code conv(16,8,stride=2)}.
   *
   * @param arguments in the order in which they are written, those without a name first
   * @param maker makes the value of its arguments; ranges are checked by what it makes
   */
  record Call<T>(
      String name, Class<T> kind, List<Argument<T, ?>> arguments, Function<Given, T> maker)
      implements SyntaxRow<T> {

    @Override
    public T read(NetworkParser parser, int start) {
      TextCall call = new TextCall(parser, name, start);
      Given given = new Given(new HashMap<>());
      for (Argument<T, ?> argument : arguments) {
        given.values.put(argument.name(), argument.read(call, given));
      }
      T made = maker.apply(given);
      call.finish();
      return made;
    }

    @Override
    public boolean writes(Object value) {
      return kind.isInstance(value);
    }

    @Override
    public String text(T value) {
      Given given = new Given(new HashMap<>());
      List<String> texts = new ArrayList<>();
      for (Argument<T, ?> argument : arguments) {
        argument.write(value, given, texts);
      }
      return texts.isEmpty() ? name : name + "(" + String.join(",", texts) + ")";
    }
  }

  /**
   * A name with layers in parentheses: {@code residual(conv(4,3,pad=1) relu)}.
   *
   * @param projected whether this row is for blocks whose shortcut has a projection
   */
  record Block(String name, boolean projected) implements SyntaxRow<Layer.Residual> {
    @Override
    public Class<Layer.Residual> kind() {
      return Layer.Residual.class;
    }

    @Override
    public Layer.Residual read(NetworkParser parser, int start) {
      return new Layer.Residual(parser.body(name), projected);
    }

    @Override
    public boolean writes(Object value) {
      return value instanceof Layer.Residual residual && residual.projected() == projected;
    }

    @Override
    public String text(Layer.Residual block) {
      return name + "(" + NetworkSyntax.text(block.body()) + ")";
    }
  }

  /**
   * One argument.
   *
   * @param usual what it is unless given, which may follow from arguments before it; null where it
   *     must be given
   * @param named whether it is written as name=value, and left out where it is as usual
   * @param of what a layer or loss has for it
   */
  record Argument<T, V>(
      String name,
      ArgumentType<V> type,
      Function<Given, V> usual,
      boolean named,
      Function<T, V> of) {

    private V read(TextCall call, Given given) {
      if (named) {
        return call.option(name, type, usual.apply(given));
      }
      return usual == null || call.hasMore() ? call.next(name, type) : usual.apply(given);
    }

    private void write(T value, Given given, List<String> texts) {
      V own = of.apply(value);
      if (!named) {
        texts.add(type.writer().apply(own));
      } else if (!own.equals(usual.apply(given))) {
        texts.add(name + "=" + type.writer().apply(own));
      }
      given.values.put(name, own);
    }
  }

  /** The values of a call's arguments by their names. */
  record Given(Map<String, Object> values) {
    int whole(String name) {
      return (Integer) values.get(name);
    }

    double number(String name) {
      return (Double) values.get(name);
    }

    boolean truth(String name) {
      return (Boolean) values.get(name);
    }

    @SuppressWarnings("unchecked")
    List<Double> weights(String name) {
      return (List<Double>) values.get(name);
    }

    Sides sides(String name) {
      return (Sides) values.get(name);
    }
  }
}
