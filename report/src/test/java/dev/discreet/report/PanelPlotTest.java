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

class PanelPlotTest {
  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void everyPointAndBarIsDrawnInsideItsPanel() throws Exception {
    double[][] points = {{3, 0}, {-1, 2}, {0, -3}};
    PanelPlot panels =
        new PanelPlot(
            "a < b & \"c\"",
            2,
            List.of(
                new PanelPlot.Dots("one", points),
                new PanelPlot.Dots("none apart", new double[][] {{0, 0}}),
                new PanelPlot.Bars("bars", new long[] {0, 5, 2}, -1, 1)));
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

  /** Two panels have room for about 58 letters. */
  @Test
  void aLongTitleIsBrokenIntoLinesThatFit() throws Exception {
    String title = "public data: gaussians, " + "dense(8) tanh ".repeat(6) + "x".repeat(70);
    PanelPlot.Panel panel = new PanelPlot.Dots("", new double[][] {{0, 0}});
    Document svg = parsed(new PanelPlot(title, 2, List.of(panel, panel)).svg());
    StringBuilder all = new StringBuilder();
    int bottom = 0;
    for (int i = 0; i < svg.getElementsByTagName("text").getLength(); i++) {
      Element text = (Element) svg.getElementsByTagName("text").item(i);
      if (text.hasAttribute("font-weight")) {
        assertTrue(text.getTextContent().length() <= 58, text.getTextContent());
        all.append(text.getTextContent());
        bottom = Integer.parseInt(text.getAttribute("y"));
      }
    }
    assertEquals(title.replace(" ", ""), all.toString().replace(" ", ""));
    Element first = (Element) svg.getElementsByTagName("g").item(0);
    assertEquals("translate(16 " + (bottom + 18) + ")", first.getAttribute("transform"));
  }

  @Test
  void nothingToShowIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new PanelPlot("", 2, List.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new PanelPlot("", 0, List.of(new PanelPlot.Dots("", new double[0][]))));
  }
}
