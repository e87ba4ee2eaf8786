package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.report.Article.Figure;
import dev.discreet.report.LinePlot;
import dev.discreet.report.LinePlot.Line;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PictureTest {
  private final List<Figure> figures = new ArrayList<>();

  private List<String> drawn(Picture picture) throws IOException {
    figures.clear();
    picture.caption("caption");
    return figures.stream().map(Figure::svg).toList();
  }

  private Picture picture() {
    return new Picture(figures::add, "file", "title", "x", "y");
  }

  private static String svg(boolean even, Point... points) throws IOException {
    Line line = new Line("a", false, List.of(points));
    return new LinePlot("title", "x", "y", List.of(line), even, false).svg();
  }

  @Test
  void withoutALineThereIsNoFigure() throws IOException {
    assertEquals(List.of(), drawn(picture()));
    assertEquals(List.of(), drawn(picture().line("a", false, List.of())));
    List<Double> lost = List.of(Double.NaN, Double.POSITIVE_INFINITY);
    assertEquals(List.of(), drawn(picture().looks("a", false, 10, lost)));
  }

  @Test
  void curvesStandWhereTheirValuesWereSeen() throws IOException {
    List<Double> curve = List.of(1.0, 3.0);
    assertEquals(
        List.of(svg(true, new Point(5, 1), new Point(10, 3))),
        drawn(picture().even().looks("a", false, 10, curve)));
    assertEquals(
        List.of(svg(true, new Point(0, 1), new Point(10, 3))),
        drawn(picture().even().fromStart("a", false, 10, curve)));
    assertEquals(
        List.of(svg(false, new Point(7, 1), new Point(8, 3))),
        drawn(picture().curve("a", false, i -> i + 7, curve)));
  }

  @Test
  void anEvenPictureIsNotLogarithmic() throws IOException {
    List<Double> curve = List.of(1.0, 3.0);
    String even = drawn(picture().even().curve("a", false, i -> 1 + 99 * i, curve)).get(0);
    String far = drawn(picture().curve("a", false, i -> 1 + 99 * i, curve)).get(0);
    assertNotEquals(far, even);
    assertTrue(far.contains(">10</text>"), far);
  }

  @Test
  void bothAxesCanBeEven() throws IOException {
    List<Double> curve = List.of(1.0, 100.0);
    String even = drawn(picture().allEven().curve("a", false, i -> i + 1, curve)).get(0);
    String tall = drawn(picture().even().curve("a", false, i -> i + 1, curve)).get(0);
    assertTrue(even.contains(">60</text>"), even);
    assertTrue(tall.contains(">10</text>") && !tall.contains(">60</text>"), tall);
  }
}
