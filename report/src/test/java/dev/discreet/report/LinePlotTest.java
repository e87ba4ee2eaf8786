package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

class LinePlotTest {
  @TempDir private Path folder;

  private static LinePlot.Line line(String name, double... values) {
    return new LinePlot.Line(
        name,
        false,
        IntStream.range(0, values.length)
            .mapToObj(i -> new LinePlot.Point(i + 1, values[i]))
            .toList());
  }

  private static LinePlot plot(LinePlot.Line... lines) {
    return new LinePlot("title", "x", "y", List.of(lines));
  }

  private static Document svg(Path file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    // The document names SVG's DTD; a test must not fetch it.
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(file.toFile());
  }

  private static boolean has(BufferedImage image, int colour) {
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        if ((image.getRGB(x, y) & 0xFFFFFF) == colour) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void pngHasEveryLineInItsColour() throws IOException {
    Path file = folder.resolve("plot.png");
    plot(line("a", 1, 2, 3), line("b", 3, 2, 1)).write(file);
    BufferedImage image = ImageIO.read(file.toFile());
    assertEquals(Drawing.SCALE * Drawing.WIDTH, image.getWidth());
    assertEquals(Drawing.SCALE * Drawing.HEIGHT, image.getHeight());
    assertEquals(0xFFFFFF, image.getRGB(0, 0) & 0xFFFFFF);
    assertTrue(has(image, 0x0072B2), "the first line");
    assertTrue(has(image, 0xD55E00), "the second line");
    assertFalse(has(image, 0x009E73), "there is no third line");
  }

  @Test
  void svgIsXmlWithAPathForEachLine() throws Exception {
    Path file = folder.resolve("plot.svg");
    plot(line("a", 1, 2, 3), line("b", 3, 2, 1)).write(file);
    assertEquals("svg", svg(file).getDocumentElement().getTagName());
    assertEquals(
        "0 0 " + Drawing.WIDTH + " " + Drawing.HEIGHT,
        svg(file).getDocumentElement().getAttribute("viewBox"));
    String text = Files.readString(file);
    assertTrue(text.contains("rgb(0,114,178)") && text.contains("rgb(213,94,0)"), "both colours");
  }

  @Test
  void theSamePlotIsTheSameFile() throws IOException {
    Path one = folder.resolve("one.svg");
    Path two = folder.resolve("two.svg");
    LinePlot plot = plot(line("a", 1, 20, 300));
    plot.write(one);
    plot.write(two);
    assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
  }

  @Test
  void theAxesMeet() throws IOException {
    Path file = folder.resolve("plot.png");
    plot(line("a", 1, 2, 3)).write(file);
    BufferedImage image = ImageIO.read(file.toFile());
    int[] ink = new int[image.getWidth()]; // dark pixels of each column
    int[] below = new int[image.getWidth()]; // the lowest of them
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        if ((image.getRGB(x, y) & 0xFF) < 0x80 && (image.getRGB(x, y) >> 16 & 0xFF) < 0x80) {
          ink[x]++;
          below[x] = y;
        }
      }
    }
    int upright =
        IntStream.range(0, ink.length).reduce((a, b) -> ink[b] > ink[a] ? b : a).getAsInt();
    assertTrue(ink[upright] > image.getHeight() / 2, "no axis was found");
    int gap = 2 * Drawing.SCALE;
    assertTrue(below[upright + gap] - below[upright] <= gap, below[upright] + " is above the axis");
    assertTrue(ink[upright + gap] > 0, "the axis begins too far to the right");
  }

  @Test
  void pointsThatHaveNoPlaceAreLeftOut() throws IOException {
    Path file = folder.resolve("plot.png");
    double infinity = Double.POSITIVE_INFINITY;
    plot(line("a", 0, 1e-3, 5, infinity, Double.NaN), line("b", infinity, infinity), line("c", 7))
        .write(file);
    BufferedImage image = ImageIO.read(file.toFile());
    assertTrue(has(image, 0x0072B2));
    assertFalse(has(image, 0xD55E00), "a line without a point keeps its colour to itself");
    assertTrue(has(image, 0x009E73));
  }

  @Test
  void moreLinesThanColoursAreDrawn() throws IOException {
    LinePlot.Line[] lines =
        IntStream.range(0, 20)
            .mapToObj(i -> line("line " + i, DoubleStream.of(1, 2, 3).map(v -> v + i).toArray()))
            .toArray(LinePlot.Line[]::new);
    plot(lines).write(folder.resolve("plot.png"));
  }

  @Test
  void nothingToDrawIsSaidAndLeavesTheFileAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("plot.svg"), "kept");
    LinePlot plot = plot(line("a", Double.POSITIVE_INFINITY));
    IOException said = assertThrows(IOException.class, () -> plot.write(file));
    assertTrue(said.getMessage().startsWith("there is nothing to draw"), said.getMessage());
    assertEquals("kept", Files.readString(file));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void aFileIsReplacedWhole() throws Exception {
    Path file = Files.writeString(folder.resolve("plot.svg"), "old");
    plot(line("a", 1, 2)).write(file);
    assertEquals("svg", svg(file).getDocumentElement().getTagName());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void theFormatIsTheEndOfTheName() {
    assertEquals(LinePlot.Format.SVG, LinePlot.Format.of(Path.of("a.b.SVG")));
    assertEquals(LinePlot.Format.PNG, LinePlot.Format.of(Path.of("a.svg.png")));
    for (String other : List.of("plot.pdf", "svg", "plot", "")) {
      assertThrows(IllegalArgumentException.class, () -> LinePlot.Format.of(Path.of(other)));
    }
  }

  @Test
  void aMissingFolderIsAFailure() {
    assertThrows(
        IOException.class, () -> plot(line("a", 1)).write(folder.resolve("no/such/plot.svg")));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "-0.25, -0.25",
    "10000, 10000",
    "0.001, 0.001",
    "12.5, 12.5",
    "1e5, 1e5",
    "150000, 1.5e5",
    "105000, 1.05e5",
    "1e10, 1e10",
    "1e-4, 1e-4",
    "-2e-5, -2e-5",
    "1e100, 1e100",
  })
  void ticksAreShort(double value, String label) {
    assertEquals(label, Drawing.label(value));
  }

  @Test
  void anAxisWithNegativeValuesIsNotLogarithmic() throws IOException {
    // On a logarithmic axis the second line would have no place, and the picture not change.
    LinePlot.Line above = line("above", 1e-3, 5);
    assertNotEquals(plot(above).svg(), plot(above, line("below", -5)).svg());
  }

  @Test
  void anEvenAxisHasAPlaceForZero() throws IOException {
    LinePlot.Line run =
        new LinePlot.Line(
            "run", false, List.of(new LinePlot.Point(1, 1), new LinePlot.Point(500, 2)));
    LinePlot.Line start = new LinePlot.Line("start", false, List.of(new LinePlot.Point(0, 1)));
    assertEquals(plot(run).svg(), plot(run, start).svg());
    assertNotEquals(
        new LinePlot("title", "x", "y", List.of(run), true).svg(),
        new LinePlot("title", "x", "y", List.of(run, start), true).svg());
  }
}
