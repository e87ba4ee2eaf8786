package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.report.IntervalPlot.Panel;
import dev.discreet.report.IntervalPlot.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntervalPlotTest {
  @TempDir private Path folder;

  private static List<Double> numbers(String svg, String form) {
    return Pattern.compile(form)
        .matcher(svg)
        .results()
        .map(m -> Double.valueOf(m.group(1)))
        .toList();
  }

  @Test
  void valuesStandInTheirIntervals() {
    String svg =
        new IntervalPlot(
                "95%",
                List.of(
                    new Panel(
                        "count <of> rows",
                        List.of(new Row("north & f", 10, 0, 20), new Row("south", 5, 5, 10)))))
            .svg();
    assertTrue(svg.contains("count &lt;of&gt; rows") && svg.contains("north &amp; f"), svg);
    List<Double> lows = numbers(svg, "M([\\d.]+) \\d+ H[\\d.]+\" fill=\"none\" stroke=\"#0072B2");
    List<Double> highs = numbers(svg, "M[\\d.]+ \\d+ H([\\d.]+)\" fill=\"none\" stroke=\"#0072B2");
    List<Double> values = numbers(svg, "M([\\d.]+) \\d+ h6");
    assertEquals((lows.get(0) + highs.get(0)) / 2, values.get(0) + 3, 0.2);
    assertEquals(lows.get(1), values.get(1) + 3, 0.2);
    assertEquals((highs.get(0) - lows.get(0)) / 4, highs.get(1) - lows.get(1), 0.2);
  }

  @Test
  void whatHasNoEndGoesToTheEdgeAndManyAreCut() {
    Row open = new Row("ratio", 2, 1, Double.POSITIVE_INFINITY);
    String svg = new IntervalPlot("", List.of(new Panel("r", List.of(open)))).svg();
    assertEquals(
        List.of(728.0), numbers(svg, "M[\\d.]+ \\d+ H([\\d.]+)\" fill=\"none\" stroke=\"#0072B2"));
    String many =
        new IntervalPlot("", List.of(new Panel("t", Collections.nCopies(900, open)))).svg();
    assertTrue(many.contains("t (the first 200 of 900)"), many.substring(0, 500));
    assertThrows(IllegalArgumentException.class, () -> new IntervalPlot("", List.of()));
  }

  @Test
  void itIsWrittenInBothFormats() throws IOException {
    IntervalPlot plot =
        new IntervalPlot("95%", List.of(new Panel("t", List.of(new Row("a", 1, 0, 2)))));
    plot.write(folder.resolve("plot.svg"));
    assertEquals(plot.svg(), Files.readString(folder.resolve("plot.svg")));
    plot.write(folder.resolve("plot.png"));
    assertEquals(2 * 760, ImageIO.read(folder.resolve("plot.png").toFile()).getWidth());
  }
}
