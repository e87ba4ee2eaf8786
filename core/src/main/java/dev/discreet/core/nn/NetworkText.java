package dev.discreet.core.nn;

/** The one-line text form of layers and networks. */
final class NetworkText {
  private NetworkText() {}

  static String of(Layer layer) {
    return layer.getClass().getSimpleName();
  }
}
