package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the one-line text form: layers apart by spaces, their numbers in parentheses, options by
 * name, and last the loss if it is not softmax. Every error names its position, counted from 1.
 */
final class NetworkParser {
  private final String text;
  private int at;
  private int depth;

  NetworkParser(String text) {
    this.text = text;
  }

  Network network() {
    List<Layer> layers = layers();
    Check.that(!layers.isEmpty(), "network", "at least one layer", "\"" + text + "\"");
    Loss loss = atEnd() ? new Loss.SoftmaxCrossEntropy() : loss();
    require(atEnd(), "after the loss there", "nothing", rest());
    return new Network(layers, loss);
  }

  /** Layers up to the end, a closing parenthesis or the loss. */
  private List<Layer> layers() {
    List<Layer> layers = new ArrayList<>();
    while (!atEnd() && text.charAt(at) != ')' && !text.startsWith("loss", at)) {
      layers.add(layer());
    }
    return layers;
  }

  private Layer layer() {
    int start = at;
    String name = word();
    require(
        !name.startsWith("batchnorm"),
        start,
        "layer",
        "groupnorm(groups) or layernorm in place of batch normalisation, whose statistics mix the"
            + " units of a lot, so that no clipping bounds what one unit changes",
        name);
    return read(NetworkSyntax.LAYERS, "layer", name, start);
  }

  /** The layers of a block in parentheses. */
  List<Layer> body(String name) {
    skip('(', "the layers of " + name + " in parentheses");
    Layer.Residual.checkDepth(++depth);
    List<Layer> body = layers();
    depth--;
    skip(')', "a layer or ) after the layers of " + name);
    return body;
  }

  private Loss loss() {
    int start = at;
    boolean named = word().equals("loss");
    require(named, start, "after the layers there", "loss=… or nothing", found(start));
    skip('=', "= after loss");
    start = position();
    return read(NetworkSyntax.LOSSES, "loss", word(), start);
  }

  private <T> T read(List<SyntaxRow<? extends T>> rows, String what, String name, int start) {
    SyntaxRow<? extends T> row = row(rows, name);
    List<String> names = rows.stream().map(SyntaxRow::name).toList();
    require(row != null, start, what, "one of " + names, found(start));
    try {
      return row.read(this, start);
    } catch (Misread e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new Misread(start, e.getMessage());
    }
  }

  /** The row of that name, or null. */
  private static <T> SyntaxRow<? extends T> row(List<SyntaxRow<? extends T>> rows, String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElse(null);
  }

  static boolean isLayer(String name) {
    return row(NetworkSyntax.LAYERS, name) != null;
  }

  // ---- characters

  /** An error that already names its position. */
  static final class Misread extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    Misread(int start, String message) {
      super(Check.line("position " + (start + 1) + ": " + message));
    }

    Misread(int start, String name, String range, String found) {
      this(start, name + " must be " + range + ". Provided value: " + Check.shortened(found));
    }
  }

  static void require(boolean condition, int start, String name, String range, String found) {
    if (!condition) {
      throw new Misread(start, name, range, found);
    }
  }

  private void require(boolean condition, String name, String range, String found) {
    require(condition, at, name, range, found);
  }

  int position() {
    spaces();
    return at;
  }

  boolean atEnd() {
    spaces();
    return at >= text.length();
  }

  /** Whether the next character is this one; if so, goes past it. */
  boolean takes(char c) {
    spaces();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  void skip(char c, String what) {
    require(takes(c), "the next", what, rest());
  }

  /** Everything up to a space or one of the four marks. */
  String word() {
    spaces();
    int start = at;
    while (at < text.length()
        && "(),=".indexOf(text.charAt(at)) < 0
        && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private void spaces() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  String rest() {
    spaces();
    return at >= text.length() ? "the end" : "\"" + text.substring(at) + "\"";
  }

  private String found(int start) {
    return start >= text.length() ? "the end" : start == at ? rest() : text.substring(start, at);
  }
}
