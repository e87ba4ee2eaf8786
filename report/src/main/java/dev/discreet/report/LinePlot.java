package dev.discreet.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * Lines over one x axis. An axis whose values span more than a decade or so, and none of which is
 * negative, is logarithmic; points that have no place on the axes (infinite, or 0 on a logarithmic
 * one) are left out.
 *
 * @param evenX keeps the x axis from being logarithmic: for steps and epochs
 * @param evenY the same for the y axis
 */
public record LinePlot(
    String title, String xLabel, String yLabel, List<Line> lines, boolean evenX, boolean evenY) {
  public LinePlot(String title, String xLabel, String yLabel, List<Line> lines) {
    this(title, xLabel, yLabel, lines, false, false);
  }

  public record Point(double x, double y) {}

  /**
   * @param dashed sets a line apart that is not of the others' kind
   */
  public record Line(String name, boolean dashed, List<Point> points) {
    public Line {
      points = List.copyOf(points);
    }
  }

  /** By the end of the file's name. */
  public enum Format {
    SVG,
    PNG;

    public static Format of(Path file) {
      String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
      for (Format format : values()) {
        if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
          return format;
        }
      }
      throw new IllegalArgumentException(
          "plot must be a file that ends in .svg or .png. Provided value: " + file);
    }
  }

  public LinePlot {
    lines = List.copyOf(lines);
  }

  /** The picture as SVG: a few kilobytes, without any reference to the outside. */
  public String svg() throws IOException {
    checkDrawable();
    return new SvgDrawing(this).svg();
  }

  private void checkDrawable() throws IOException {
    PlotStyle places = new PlotStyle(this);
    if (lines.stream().allMatch(line -> places.of(line).isEmpty())) {
      throw new IOException("there is nothing to draw: no point of \"" + title + "\" is finite");
    }
  }

  /** Writes the whole picture or nothing: a reader never sees half of it. */
  public void write(Path file) throws IOException {
    Format.of(file);
    write(file, svg());
  }

  /** The same of another picture. */
  static void write(Path file, String svg) throws IOException {
    Format format = Format.of(file);
    Path beside =
        file.resolveSibling(
            "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      try (OutputStream out = Files.newOutputStream(beside, StandardOpenOption.CREATE_NEW)) {
        if (format == Format.SVG) {
          out.write(svg.getBytes(StandardCharsets.UTF_8));
        } else {
          new SvgPainter(svg).write(out);
        }
      } catch (LinkageError e) { // Java draws text in pictures with libraries of the system
        throw new IOException(
            "a PNG needs the font libraries of this machine (libharfbuzz, libfreetype), which were"
                + " not found; an .svg needs none",
            e);
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(file.toString());
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(file.toString());
    } catch (FileSystemException e) {
      throw new FileSystemException(file.toString(), null, e.getReason());
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
