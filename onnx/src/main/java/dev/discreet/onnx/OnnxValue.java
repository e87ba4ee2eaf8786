package dev.discreet.onnx;

import dev.discreet.core.nn.Shape;

/**
 * What goes from one layer to the next. Ours lie channels last; ONNX's convolutions want them
 * first. So each value says how it lies, and is turned only where a layer needs it otherwise.
 *
 * @param name of the value in the graph
 * @param form how it lies
 * @param shape of one example
 */
record OnnxValue(OnnxGraph graph, String name, Form form, Shape shape) {

  /** How the values of an example lie. */
  enum Form {
    /** As one vector, channels last. */
    ROWS,
    /** Height, width, channels. */
    CHANNELS_LAST,
    /** Channels, height, width. */
    CHANNELS_FIRST
  }

  /** This value in that form. */
  String as(Form wanted, String label) {
    return switch (wanted) {
      case ROWS -> rows(label);
      case CHANNELS_LAST -> channelsLast(label);
      case CHANNELS_FIRST -> channelsFirst(label);
    };
  }

  /** Whether channels first and channels last are one order. */
  private boolean isOneOrder() {
    return shape.positions() == 1 || shape.channels() == 1;
  }

  String rows(String label) {
    return form == Form.ROWS
        ? name
        : graph.reshape(label, isOneOrder() ? name : channelsLast(label), 0, shape.size());
  }

  String channelsLast(String label) {
    if (form == Form.CHANNELS_LAST) {
      return name;
    }
    return form == Form.ROWS || isOneOrder()
        ? graph.reshape(label, name, 0, shape.height(), shape.width(), shape.channels())
        : graph.transpose(label, name, 0, 2, 3, 1);
  }

  String channelsFirst(String label) {
    if (form == Form.CHANNELS_FIRST) {
      return name;
    }
    return isOneOrder()
        ? graph.reshape(label, name, 0, shape.channels(), shape.height(), shape.width())
        : graph.transpose(label, channelsLast(label), 0, 3, 1, 2);
  }
}
