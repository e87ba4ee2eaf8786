package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/** The networks that have a name. Each is a text form, so what a name means can be printed. */
final class NamedNetworks {
  /**
   * A name and what it stands for.
   *
   * @param example how the name is written where its arguments must be given; else the name
   * @param layers the text form, from what stands after the name and the classes of the data
   */
  private record Named(
      String name, String example, BiFunction<TextCall, OptionalInt, String> layers) {}

  private static final List<Named> ALL =
      List.of(
          new Named(
              "linear",
              "linear",
              (call, data) ->
                  "flatten dense("
                      + call.option("outputs", ArgumentType.WHOLE, 1)
                      + ") loss=squared"),
          new Named(
              "logistic",
              "logistic",
              (call, data) -> "flatten dense(" + classes(call, data, 0) + ")"),
          new Named("mlp", "mlp(1000)", NamedNetworks::mlp),
          new Named(
              "mnist-cnn",
              "mnist-cnn",
              (call, data) ->
                  "conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1)"
                      + " conv(32,4,stride=2) relu maxpool(2,stride=1)"
                      + " flatten dense(32) relu dense("
                      + classes(call, data, 10)
                      + ")"),
          new Named(
              "cifar-cnn",
              "cifar-cnn",
              (call, data) ->
                  "conv(32,3,pad=1) relu avgpool(2)"
                      + " conv(64,3,pad=1) relu avgpool(2)"
                      + " conv(64,3,pad=1) relu avgpool(2)"
                      + " conv(128,3,pad=1) relu globalavgpool dense("
                      + classes(call, data, 10)
                      + ")"),
          new Named("wrn", "wrn(16,4)", NamedNetworks::wideResidual),
          new Named(
              "scattering-linear",
              "scattering-linear",
              (call, data) ->
                  "scattering(2,8,together=3) flatten dense(" + classes(call, data, 10) + ")"),
          new Named(
              "scattering-cnn",
              "scattering-cnn",
              (call, data) ->
                  "scattering(2,8,together=3) conv(64,3,pad=1) tanh avgpool(2)"
                      + " conv(64,3,pad=1) tanh avgpool(2) flatten dense("
                      + classes(call, data, 10)
                      + ")"));

  static final List<String> NAMES = ALL.stream().map(Named::example).toList();

  private NamedNetworks() {}

  /**
   * @param classes of the data, where they are known
   */
  static Network of(String text, OptionalInt classes) {
    NetworkParser parser = new NetworkParser(text);
    String name = parser.word();
    if (NetworkParser.isLayer(name) || name.startsWith("batchnorm")) {
      return Network.parse(text);
    }
    Named named = ALL.stream().filter(known -> known.name().equals(name)).findFirst().orElse(null);
    Check.that(
        named != null,
        "network",
        "one of " + NAMES + ", or layers such as \"conv(16,8) relu dense(10)\"",
        text);
    Check.that(
        classes.isEmpty() || !name.equals("linear"),
        "network of data with classes",
        "another than linear, which predicts numbers",
        text);
    TextCall call = new TextCall(parser, name, 0);
    String layers = named.layers().apply(call, classes);
    call.finish();
    Check.that(parser.atEnd(), "after the name " + name + " there", "nothing", parser.rest());
    return Network.parse(layers);
  }

  private static String mlp(TextCall call, OptionalInt classes) {
    List<String> layers = new ArrayList<>(List.of("flatten"));
    do {
      layers.add("dense(" + call.next("hidden units", ArgumentType.WHOLE) + ") relu");
    } while (call.hasMore());
    layers.add("dense(" + classes(call, classes, 0) + ")");
    return String.join(" ", layers);
  }

  /**
   * A wide residual network (Zagoruyko and Komodakis 2016) as De et al. 2022 train it privately:
   * group norms of 16 groups after activations, and standardised weights. The first block of each
   * of the three stages shares its norm with its shortcut, and the shortcut's convolution is a
   * plain one: on what a norm puts out, that can be all that a norm and standardised weights of its
   * own can be.
   */
  private static String wideResidual(TextCall call, OptionalInt classes) {
    int depth = call.next("depth", ArgumentType.WHOLE);
    int width = call.next("width", ArgumentType.WHOLE);
    Check.that(
        depth >= 10 && depth <= 1000 && (depth - 4) % 6 == 0,
        "depth of wrn",
        "10, 16, 22 and so on, up to 1000",
        depth);
    Check.that(width >= 1 && width <= 1000, "width of wrn", "in [1, 1000]", width);
    String norm = "relu groupnorm(16) ";
    List<String> layers = new ArrayList<>(List.of("conv(16,3,pad=1,standardised=true)"));
    for (int stage = 0; stage < 3; stage++) {
      String outputs = "conv(" + (16 * width << stage) + ",3,";
      String conv = outputs + "pad=1,standardised=true)";
      String first = stage == 0 ? conv : outputs + "stride=2,pad=1,standardised=true)";
      layers.add(norm + "projected(" + first + " " + norm + conv + ")");
      for (int block = 1; block < (depth - 4) / 6; block++) {
        layers.add("residual(" + norm + conv + " " + norm + conv + ")");
      }
    }
    layers.add(norm + "globalavgpool dense(" + classes(call, classes, 10) + ")");
    return String.join(" ", layers);
  }

  /**
   * How many classes the network tells apart.
   *
   * @param usual what it is where neither the name nor the data say; 0 for none
   */
  private static int classes(TextCall call, OptionalInt data, int usual) {
    String what = "classes of " + call.name();
    int classes = call.option("classes", ArgumentType.WHOLE, data.orElse(usual));
    Check.that(
        classes != 0,
        what,
        "given, as in logistic(classes=3) or mlp(100,classes=3), or in Java Network.named(name, 3)",
        "none");
    Check.that(classes >= 2, what, "at least 2", classes);
    Check.that(
        classes == data.orElse(classes),
        what,
        "as many as the data have, " + data.orElse(0),
        classes);
    return classes;
  }
}
