package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class PanelsTest {
  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void everyPointAndBarIsDrawnInsideItsPanel() throws Exception {
    double[][] points = {{3, 0}, {-1, 2}, {0, -3}};
    Panels panels =
        new Panels(
            "a < b & \"c\"",
            2,
            List.of(
                new Panels.Dots("one", points),
                new Panels.Dots("none apart", new double[][] {{0, 0}}),
                new Panels.Bars("bars", new long[] {0, 5, 2}, -1, 1)));
    Document svg = parsed(panels.svg());
    assertEquals(4, svg.getElementsByTagName("circle").getLength());
    for (int i = 0; i < 4; i++) {
      Element circle = (Element) svg.getElementsByTagName("circle").item(i);
      double x = Double.parseDouble(circle.getAttribute("cx"));
      assertTrue(x >= 0 && x <= 220, "cx " + x);
    }
    // The paper, three frames and three bars.
    assertEquals(7, svg.getElementsByTagName("rect").getLength());
    assertEquals("a < b & \"c\"", svg.getElementsByTagName("text").item(0).getTextContent());
  }

  @Test
  void nothingToShowIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Panels("", 2, List.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Panels("", 0, List.of(new Panels.Dots("", new double[0][]))));
  }
}
