package dev.discreet.lab.training;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.DataSet;

/** Images with pixels in [0, 1], as documents 001 and 004 have them: standardising undone. */
public record UnitPixels(Examples images, double mean, double deviation) implements Examples {

  /** Both parts of MNIST or Fashion-MNIST. */
  static DataSet of(String name, DataSet data) {
    return data.with(of(name, data.train()), data.test().map(part -> of(name, part)));
  }

  private static DataSet.Part of(String name, DataSet.Part part) {
    Examples images =
        name.equals("fashion-mnist")
            ? new UnitPixels(part.examples(), 0.2860, 0.3530)
            : new UnitPixels(part.examples(), 0.1307, 0.3081);
    return new DataSet.Part(
        images,
        part.units(),
        part.isPublic(),
        part.rowsAreUnits(),
        part.by(),
        part.taken(),
        part.onlyUnit(),
        part.isSelected());
  }

  @Override
  public int size() {
    return images.size();
  }

  @Override
  public Shape input() {
    return images.input();
  }

  @Override
  public int targets() {
    return images.targets();
  }

  @Override
  public void input(int example, float[] to, int at) {
    images.input(example, to, at);
    int end = at + input().size();
    float scale = (float) deviation;
    float shift = (float) mean;
    for (int i = at; i < end; i++) {
      to[i] = to[i] * scale + shift;
    }
  }

  @Override
  public void target(int example, float[] to, int at) {
    images.target(example, to, at);
  }
}
