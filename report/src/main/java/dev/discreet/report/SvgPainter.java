package dev.discreet.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Paints what {@link SvgDrawing} draws, as PNG. It knows the few elements that are used there and
 * no others, so a plot looks the same in both formats.
 */
final class SvgPainter {
  /** Pixels a unit, so that the picture is sharp on dense screens. */
  static final int SCALE = 2;

  private static final Pattern TOKEN = Pattern.compile("[a-zA-Z]|-?\\d*\\.?\\d+");

  private final Element svg;
  private final Graphics2D graphics;
  private final BufferedImage image;

  SvgPainter(String text) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      // No entities, here or elsewhere: a plot needs none.
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      svg =
          factory
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(text)))
              .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("a plot is no XML: " + e.getMessage(), e);
    }
    image =
        new BufferedImage(
            (int) (SCALE * number(svg, "width")),
            (int) (SCALE * number(svg, "height")),
            BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
  }

  void write(OutputStream out) throws IOException {
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.scale(SCALE, SCALE);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    paint(svg);
    graphics.dispose();
    ImageIO.write(image, "png", out);
  }

  private void paint(Element element) {
    switch (element.getTagName()) {
      case "path" -> path(element);
      case "text" -> text(element);
      default -> {
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
          if (child instanceof Element inner) {
            paint(inner);
          }
        }
      }
    }
  }

  private void path(Element element) {
    Path2D shape = shape(element.getAttribute("d"));
    String fill = inherited(element, "fill");
    if (!fill.equals("none")) {
      graphics.setColor(Color.decode(fill));
      graphics.fill(shape);
    }
    String width = element.getAttribute("stroke-width");
    String dashes = element.getAttribute("stroke-dasharray");
    graphics.setStroke(
        new BasicStroke(
            width.isEmpty() ? 1 : Float.parseFloat(width),
            BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND,
            10,
            dashes.isEmpty() ? null : dashes(dashes),
            0));
    graphics.setColor(Color.decode(inherited(element, "stroke")));
    graphics.draw(shape);
  }

  private static float[] dashes(String text) {
    double[] lengths = Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    float[] dashes = new float[lengths.length];
    for (int i = 0; i < dashes.length; i++) {
      dashes[i] = (float) lengths[i];
    }
    return dashes;
  }

  private void text(Element element) {
    boolean bold = !element.getAttribute("font-weight").isEmpty();
    int size = (int) number(svg, "font-size");
    graphics.setFont(new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, size));
    graphics.setColor(Color.decode(inherited(element, "fill")));
    String content = element.getTextContent();
    double wide = graphics.getFontMetrics().getStringBounds(content, graphics).getWidth();
    double x = number(element, "x");
    double y = number(element, "y");
    AffineTransform before = graphics.getTransform();
    if (element.hasAttribute("transform")) {
      graphics.rotate(-Math.PI / 2, x, y); // the only one that is used
    }
    double shift =
        switch (element.getAttribute("text-anchor")) {
          case "middle" -> wide / 2;
          case "end" -> wide;
          default -> 0;
        };
    graphics.drawString(content, (float) (x - shift), (float) y);
    graphics.setTransform(before);
  }

  private static double number(Element element, String name) {
    return Double.parseDouble(element.getAttribute(name));
  }

  /** The attribute of the element, or of the nearest one around it that has it. */
  private static String inherited(Element element, String name) {
    for (Element at = element; ; at = (Element) at.getParentNode()) {
      if (at.hasAttribute(name)) {
        return at.getAttribute(name);
      }
    }
  }

  /** The commands of SVG's paths that are used; of arcs, halves of circles from side to side. */
  static Path2D shape(String commands) {
    Matcher tokens = TOKEN.matcher(commands);
    Path2D path = new Path2D.Double();
    DoubleSupplier next = () -> tokens.find() ? Double.parseDouble(tokens.group()) : Double.NaN;
    while (tokens.find()) {
      char command = tokens.group().charAt(0);
      Point2D at = path.getCurrentPoint();
      double x = Character.isLowerCase(command) ? at.getX() : 0;
      double y = Character.isLowerCase(command) ? at.getY() : 0;
      switch (command) {
        case 'M', 'm' -> path.moveTo(x + next.getAsDouble(), y + next.getAsDouble());
        case 'L', 'l' -> path.lineTo(x + next.getAsDouble(), y + next.getAsDouble());
        case 'H', 'h' -> path.lineTo(x + next.getAsDouble(), at.getY());
        case 'V', 'v' -> path.lineTo(at.getX(), y + next.getAsDouble());
        case 'a' -> {
          double radius = next.getAsDouble();
          for (int skipped = 0; skipped < 4; skipped++) {
            next.getAsDouble();
          }
          double across = next.getAsDouble();
          next.getAsDouble();
          double left = Math.min(x, x + across);
          double start = across > 0 ? 180 : 0;
          path.append(
              new Arc2D.Double(left, y - radius, 2 * radius, 2 * radius, start, 180, Arc2D.OPEN),
              true);
        }
        case 'z' -> path.closePath();
        default ->
            throw new IllegalArgumentException("command must be known. Provided: " + command);
      }
    }
    return path;
  }
}
