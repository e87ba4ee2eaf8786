package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.report.LinePlot.Line;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

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

  private static Element svg(LinePlot plot) throws Exception {
    byte[] bytes = plot.svg().getBytes(StandardCharsets.UTF_8);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(bytes))
        .getDocumentElement();
  }

  private static List<Element> all(Element in, String tag) {
    NodeList found = in.getElementsByTagName(tag);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  /** The line of a colour, as pairs of numbers. */
  private static double[][] path(Element svg, String colour) {
    Element group =
        all(svg, "g").stream()
            .filter(g -> g.getAttribute("stroke").equals(colour))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no line is " + colour));
    String path = all(group, "path").get(0).getAttribute("d");
    return Stream.of(path.substring(1).split("L"))
        .map(pair -> Stream.of(pair.split(" ")).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
  }

  /** Where a tick of the x axis is, or with {@code end} one of the y axis. */
  private static double tick(Element svg, String label, String anchor) {
    Element text =
        all(svg, "text").stream()
            .filter(t -> t.getAttribute("text-anchor").equals(anchor))
            .filter(t -> t.getTextContent().equals(label))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no tick says " + label));
    // The baseline is a little below the tick.
    return anchor.equals("end")
        ? Double.parseDouble(text.getAttribute("y")) - 5
        : Double.parseDouble(text.getAttribute("x"));
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
    assertEquals(SvgPainter.SCALE * SvgDrawing.WIDTH, image.getWidth());
    assertEquals(0xFFFFFF, image.getRGB(0, 0) & 0xFFFFFF);
    assertTrue(has(image, 0x0072B2), "the first line");
    assertTrue(has(image, 0xD55E00), "the second line");
    assertFalse(has(image, 0x009E73), "there is no third line");
  }

  /** One drawing in two formats: a line has its colour where the SVG has its points. */
  @Test
  void pngIsTheSvgPainted() throws Exception {
    LinePlot plot = plot(line("a", 1, 5, 2, 3), line("b", 4, 2, 2.5, 1));
    Path file = folder.resolve("plot.png");
    plot.write(file);
    BufferedImage image = ImageIO.read(file.toFile());
    Element svg = svg(plot);
    assertEquals(
        SvgPainter.SCALE * Integer.parseInt(svg.getAttribute("height")), image.getHeight());
    for (int colour : List.of(0x0072B2, 0xD55E00)) {
      for (double[] point : path(svg, String.format("#%06x", colour))) {
        int x = (int) Math.round(SvgPainter.SCALE * point[0]);
        int y = (int) Math.round(SvgPainter.SCALE * point[1]);
        assertEquals(colour, image.getRGB(x, y) & 0xFFFFFF, "at " + x + ", " + y);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "M10 10h6v-4H2V8, 2 6 14 4",
    "M10 10m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0, 7 7 6 6",
    "M10 10m0-4l4 7h-8z, 6 6 8 7",
    "M1.5 2L3.5-2, 1.5 -2 2 4"
  })
  void commandsOfPaths(String commands, String bounds) {
    Rectangle2D box = SvgPainter.shape(commands).getBounds2D();
    double[] expected = Stream.of(bounds.split(" ")).mapToDouble(Double::parseDouble).toArray();
    double[] found = {box.getX(), box.getY(), box.getWidth(), box.getHeight()};
    assertArrayEquals(expected, found, 1e-9);
  }

  @Test
  void svgHasEachLineWhereItsPointsAre() throws Exception {
    Element svg =
        svg(plot(line("a <b> & 'c'", 1, 2, 3), new LinePlot.Line("dashes", true, points(3, 2, 1))));
    assertEquals("svg", svg.getTagName());
    assertTrue(svg.getAttribute("viewBox").startsWith("0 0 " + SvgDrawing.WIDTH + " "));
    double[][] up = path(svg, "#0072b2");
    double[][] down = path(svg, "#d55e00");
    for (int i = 0; i < 3; i++) {
      String value = String.valueOf(i + 1);
      assertEquals(tick(svg, value, "middle"), up[i][0], 0.11);
      assertEquals(tick(svg, value, "end"), up[i][1], 0.11);
      assertEquals(tick(svg, value, "end"), down[2 - i][1], 0.11);
    }
    assertTrue(up[0][1] > up[2][1], "up is up");
    List<String> texts = all(svg, "text").stream().map(Element::getTextContent).toList();
    assertTrue(texts.containsAll(List.of("title", "x", "y", "a <b> & 'c'", "dashes")), "" + texts);
    // The line and its sample in the legend.
    assertEquals(2, paths(svg, "stroke-dasharray").size());
  }

  private static List<LinePlot.Point> points(double... values) {
    return line("", values).points();
  }

  private static List<Element> paths(Element svg, String with) {
    return all(svg, "path").stream().filter(path -> path.hasAttribute(with)).toList();
  }

  @Test
  void logarithmicTicksArePowersOfTenWithPointsBetween() throws Exception {
    Element svg = svg(plot(line("a", 1, 10, 1e2, 1e4)));
    double[][] path = path(svg, "#0072b2");
    String[] powers = {"1", "10", "100", "10000"};
    for (int i = 0; i < powers.length; i++) {
      assertEquals(tick(svg, powers[i], "end"), path[i][1], 0.11);
    }
    assertEquals(path[0][1] - path[1][1], (path[0][1] - path[3][1]) / 4, 0.11);
    Element near = svg(plot(line("a", 0.5, 2, 20)));
    for (String label : List.of("0.5", "1", "2", "5", "10", "20")) {
      tick(near, label, "end");
    }
  }

  @Test
  void aLongLineIsThinnedAndKeepsItsPeaks() throws Exception {
    double[] values = IntStream.range(0, 50_000).mapToDouble(i -> Math.sin(i / 3000.0)).toArray();
    values[33_333] = 7;
    values[44_444] = -7;
    LinePlot plot = new LinePlot("title", "x", "y", List.of(line("a", values)), true, false);
    Element svg = svg(plot);
    double[][] path = path(svg, "#0072b2");
    assertTrue(plot.svg().length() < 20_000, "bytes: " + plot.svg().length());
    double high = Stream.of(path).mapToDouble(place -> place[1]).min().getAsDouble();
    double low = Stream.of(path).mapToDouble(place -> place[1]).max().getAsDouble();
    assertEquals(7, value(svg, high), 0.02);
    assertEquals(-7, value(svg, low), 0.02);
    assertEquals(path[path.length - 1][0], tick(svg, "50000", "middle"), 0.11);
  }

  private static double value(Element svg, double height) {
    double five = tick(svg, "5", "end");
    return 5 * (height - tick(svg, "0", "end")) / (five - tick(svg, "0", "end"));
  }

  @Test
  void ticksOfAFineScaleAreToldApart() throws Exception {
    Element svg = svg(plot(line("a", 98.7651, 98.7652, 98.7654)));
    tick(svg, "98.7652", "end");
  }

  @Test
  void ticksOfWholeNumbersAreWhole() throws Exception {
    Element svg = svg(plot(line("a", 0.1, 0.2)));
    tick(svg, "1", "middle");
    tick(svg, "2", "middle");
    assertThrows(AssertionError.class, () -> tick(svg, "1.2", "middle"));
    Element one = svg(plot(line("a", 0.1)));
    assertTrue(tick(one, "0", "middle") < tick(one, "2", "middle"));
  }

  @Test
  void nothingIsFetchedOrRun() throws Exception {
    String text = plot(line("url(http://x) <script>", 1, 2)).svg();
    assertFalse(text.contains("<script") || text.contains("href") || text.contains("id="), text);
    for (Element element : all(svg(plot(line("a", 1, 2))), "*")) {
      assertFalse(element.getTagName().matches("script|style|image|use|foreignObject"));
    }
  }

  @Test
  void everyLineHasAColourAndMarkerOfItsOwn() throws Exception {
    Line[] lines =
        IntStream.range(0, 20).mapToObj(i -> line("line " + i, i, i + 1)).toArray(Line[]::new);
    Set<String> looks = new HashSet<>();
    List<Element> groups = all(svg(plot(lines)), "g");
    for (Element group : groups.subList(0, 20)) {
      String marker = all(group, "path").get(1).getAttribute("d");
      looks.add(group.getAttribute("stroke") + marker.substring(marker.indexOf('m')).split("M")[0]);
    }
    assertEquals(20, looks.size());
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
    int gap = 2 * SvgPainter.SCALE;
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
    Line[] lines =
        IntStream.range(0, 20)
            .mapToObj(i -> line("line " + i, DoubleStream.of(1, 2, 3).map(v -> v + i).toArray()))
            .toArray(Line[]::new);
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
    assertEquals(plot(line("a", 1, 2)).svg(), Files.readString(file));
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
    assertEquals(label, Axis.label(value));
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
        new LinePlot("title", "x", "y", List.of(run), true, false).svg(),
        new LinePlot("title", "x", "y", List.of(run, start), true, false).svg());
  }
}
