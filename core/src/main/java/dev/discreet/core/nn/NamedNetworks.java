package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;

/** The networks that have a name. Each is a text form, so what a name means can be printed. */
final class NamedNetworks {
  static final List<String> NAMES =
      List.of("linear", "logistic", "mlp(1000)", "mnist-cnn", "cifar-cnn");

  private NamedNetworks() {}

  static Network of(String text) {
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
    TextCall call = new TextCall(parser, name, 0);
    String layers =
        switch (name) {
          case "linear" -> "flatten dense(" + call.option("outputs", 1) + ") loss=squared";
          case "logistic" -> "flatten dense(" + classes(call) + ")";
          case "mlp" -> mlp(call);
          case "mnist-cnn" ->
              "conv(16,8,stride=2,pad=3) relu maxpool(2,stride=1)"
                  + " conv(32,4,stride=2) relu maxpool(2,stride=1)"
                  + " flatten dense(32) relu dense("
                  + classes(call)
                  + ")";
          default ->
              "conv(32,3,pad=1) relu avgpool(2)"
                  + " conv(64,3,pad=1) relu avgpool(2)"
                  + " conv(64,3,pad=1) relu avgpool(2)"
                  + " conv(128,3,pad=1) relu globalavgpool dense("
                  + classes(call)
                  + ")";
        };
    call.finish();
    Check.that(parser.atEnd(), "after the name " + name + " there", "nothing", parser.rest());
    return Network.parse(layers);
  }

  private static String mlp(TextCall call) {
    List<String> layers = new ArrayList<>(List.of("flatten"));
    do {
      layers.add("dense(" + call.whole("hidden units") + ") relu");
    } while (call.hasMore());
    layers.add("dense(" + classes(call) + ")");
    return String.join(" ", layers);
  }

  private static int classes(TextCall call) {
    int classes = call.option("classes", 10);
    Check.that(classes >= 2, "classes of " + call.name(), "at least 2", classes);
    return classes;
  }
}
