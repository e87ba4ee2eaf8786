package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The networks that have a name. Each is a text form, so what a name means can be printed. */
final class NamedNetworks {
  static final List<String> NAMES =
      List.of("linear", "logistic", "mlp(1000)", "mnist-cnn", "cifar-cnn");

  private NamedNetworks() {}

  /**
   * @param classes of the data, where they are known
   */
  static Network of(String text, OptionalInt classes) {
    NetworkParser parser = new NetworkParser(text);
    String name = parser.word();
    if (NetworkParser.LAYERS.contains(name) || name.startsWith("batchnorm")) {
      return Network.parse(text);
    }
    Check.that(
        NAMES.stream().anyMatch(known -> known.replace("(1000)", "").equals(name)),
        "network",
        "one of " + NAMES + ", or layers such as \"conv(16,8) relu dense(10)\"",
        text);
    Check.that(
        classes.isEmpty() || !name.equals("linear"),
        "network of data with classes",
        "another than linear, which predicts numbers",
        text);
    TextCall call = new TextCall(parser, name, 0);
    String layers =
        switch (name) {
          case "linear" -> "flatten dense(" + call.option("outputs", 1) + ") loss=squared";
          case "logistic" -> "flatten dense(" + classes(call, classes, 0) + ")";
          case "mlp" -> mlp(call, classes);
          case "mnist-cnn" ->
              "conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1)"
                  + " conv(32,4,stride=2) relu maxpool(2,stride=1)"
                  + " flatten dense(32) relu dense("
                  + classes(call, classes, 10)
                  + ")";
          default ->
              "conv(32,3,pad=1) relu avgpool(2)"
                  + " conv(64,3,pad=1) relu avgpool(2)"
                  + " conv(64,3,pad=1) relu avgpool(2)"
                  + " conv(128,3,pad=1) relu globalavgpool dense("
                  + classes(call, classes, 10)
                  + ")";
        };
    call.finish();
    Check.that(parser.atEnd(), "after the name " + name + " there", "nothing", parser.rest());
    return Network.parse(layers);
  }

  private static String mlp(TextCall call, OptionalInt classes) {
    List<String> layers = new ArrayList<>(List.of("flatten"));
    do {
      layers.add("dense(" + call.whole("hidden units") + ") relu");
    } while (call.hasMore());
    layers.add("dense(" + classes(call, classes, 0) + ")");
    return String.join(" ", layers);
  }

  /**
   * @param usual where neither name nor data say; 0 for none
   */
  private static int classes(TextCall call, OptionalInt data, int usual) {
    String what = "classes of " + call.name();
    int classes = call.option("classes", data.orElse(usual));
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
