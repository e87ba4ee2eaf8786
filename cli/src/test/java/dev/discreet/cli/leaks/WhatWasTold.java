package dev.discreet.cli.leaks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.cli.Run;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * All that one run of the command told anyone: its exit code, its console, and the name, size,
 * content and time of every file that it left.
 */
record WhatWasTold(
    int code,
    String out,
    String err,
    Map<String, byte[]> files,
    Map<String, FileTime> times,
    Path folder) {
  private static final String NUMBER = "-?(?:\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?|Infinity)";
  private static final String END = "(?:" + NUMBER + "|\"-?Infinity\")";
  private static final Pattern PICTURE = Pattern.compile("data:image/png;base64,([A-Za-z0-9+/=]+)");
  private static final String NUMBERS = "\\[ ?(?:" + NUMBER + "(?:, ?)?)* ?\\]";

  private static final String FIGURE =
      "(?:accuracy|largestClass|balancedAccuracy|auc|f1|calibrationError|rmse|mae|rSquared)";
  private static final String FIGURES =
      "\\[ ?(?:(?:" + NUMBER + "|\"(?:-?Infinity|NaN)\")(?:, ?)?)* ?\\]";

  // The noise of one sum in a hundred is so large that its column alone seems not to be hidden.
  private static final String HIDDEN = "none: the noise hides what the rows say";
  private static final String INPUT = "(?:income(?: missing)?|sick|city = (?:Ares|Bern|else))";
  private static final String WHAT_IS_HIDDEN =
      "(?:, for they have too little of "
          + INPUT
          + "(?:, "
          + INPUT
          + ")*"
          + " \\(leave that column or category out; more rows or a larger epsilon would help too\\)"
          + "| \\(more rows, a larger epsilon or fewer columns would help\\))";

  private static final String PER = "\"per\" ?: ?\"[^\"]*\"";
  private static final String ESTIMATES =
      "(?:,\\s*\"(?:value|low|high|standardError|noise|inModel)\" ?: ?(?:"
          + NUMBER
          + "|\"-?Infinity\"))*";

  /**
   * A place where a noisy release flows, so that neighbours may differ there.
   *
   * @param file the end of the names of files in which it is; "console" for standard out and error
   * @param text what it looks like; the first group stays, and the number after it goes
   */
  private record Place(String file, Pattern text) {
    static Place of(String file, String before, String value) {
      return new Place(file, Pattern.compile("(" + before + ")" + value));
    }

    String masked(String name, String all) {
      return name.endsWith(file) ? text.matcher(all).replaceAll("$1#") : all;
    }
  }

  /** What is computed from noisy releases. Each is a number, so that no word can hide in it. */
  private static final List<Place> NOISED =
      List.of(
          Place.of("run.json", "\"heldOut(?:Accuracy|Score|Rmse\\w*|RSquared)\" ?: ?", NUMBER),
          Place.of(
              "run.json",
              "\"heldOutGuess\" : " + NUMBER,
              "(?:,\\s*\"heldOutLabelVariance\" : " + NUMBER + ")?"),
          Place.of("run.json", "\"" + FIGURE + "\" ?: ?", FIGURES),
          Place.of(
              "run.json", "\"(?:confusion|bins)\" ?: ?", "\\[(?:\\s*" + NUMBERS + ",?)+\\s*\\]"),
          Place.of("run.json", "\"meanAbsoluteError\" ?: ?", NUMBER),
          Place.of("console", "\"heldOut\\w+\":", FIGURES),
          Place.of(
              "console",
              "\"heldOut(?:LargestClass|BalancedAccuracy|Auc|F1|CalibrationError|Mae|RSquared)\":",
              "(?:" + NUMBER + "|\"(?:-?Infinity|NaN)\")"),
          Place.of(
              "report.html",
              "<td class=\"n\">",
              NUMBER + "%?(?: to " + NUMBER + "%?)?(?=(?: \\w+)?</td>)"),
          Place.of("run.json", "\"thresholdsAtEnd\" ?: ?", NUMBERS),
          Place.of("run.json", "\"weights\" ?: ?", NUMBERS),
          Place.of("run.json", "\"intercept\" ?: ?", NUMBER),
          Place.of("metrics.csv", "\n\\d+,[^,]*,", NUMBER),
          Place.of("privacy.txt", "one of the\\s+releases above,\\s+is\\s+", NUMBER),
          Place.of("report.html", "one of the releases above, is ", NUMBER),
          Place.of("report.html", "its noise leaves ", NUMBER + "%? to " + NUMBER),
          Place.of("console", "its noise leaves ", NUMBER + "%? to " + NUMBER),
          Place.of("report.html", "<p class=\"value\">", NUMBER + "(?= ?%)"),
          Place.of("scores.csv", "(?:true|false|scoreNoise,chosen)?\n\\d+,[^,]*,", NUMBER),
          Place.of("console", "\"heldOut(?:Accuracy|Score)\":", NUMBER),
          // Compared with always predicting the mean only where the noisy variance is above 0.
          Place.of(
              "console", "\"heldOutRmse\":", NUMBER + "(?:,\"heldOutRmseOfMean\":" + NUMBER + ")?"),
          Place.of("console", "\"thresholds\":", NUMBERS),
          // The noise of a quotient is that of a sum divided by a noisy one, in each cell.
          Place.of(
              "console",
              "(?:\"query\":\"(?:mean|variance|ratio)\"|(?!\\A)\\G)[^\n]*?\"value\":",
              END + ",\"low\":" + END + ",\"high\":" + END + ",\"deviation\":" + END),
          Place.of(
              "table.csv",
              "(?m)^count of rows,[^,\n]*,[^,\n]*,",
              NUMBER + "," + NUMBER + "," + NUMBER),
          Place.of("console", "\"(?:value|low|high|intercept)\":", NUMBER),
          Place.of("console", "\"(?:weights|counts|lows|highs)\":", NUMBERS),
          Place.of("console", "\"(?:no|yes)\":", NUMBER),
          Place.of("console", "(?m)^[^\"\n]+ {2,}", NUMBER + "(?= \\([^)\n]+\\) in the model)"),
          Place.of(
              "columns.yaml",
              "(?m)^  income: ",
              NUMBER + "\\.\\." + NUMBER + "(?= # noised 2.5% and 97.5% quantiles within )"),
          Place.of("report.html", HIDDEN, WHAT_IS_HIDDEN),
          Place.of("console", HIDDEN, WHAT_IS_HIDDEN),
          Place.of("coefficients.csv", ",", "(?:" + NUMBER + ")?(?=,)"),
          Place.of("run.json", PER, ESTIMATES),
          Place.of("console", PER, ESTIMATES),
          Place.of("console", "(?m)^(?:no|yes): ", NUMBER),
          Place.of("console", "(?m)^thresholds? +", NUMBER),
          Place.of("console", "(?m)^held-out accuracy +", NUMBER + "%"));

  /** What a clock or this machine says: outside the guarantee (SECURITY.md), and in no file. */
  private static final List<Place> TIMED =
      List.of(
          Place.of("console", "\"(?:seconds|examplesPerSecond)\":", NUMBER),
          Place.of("console", "\"(?:estimatedSeconds|estimatedBytes)\":", NUMBER),
          Place.of("console", "(?m)^(?:time|memory) +", ".*"),
          Place.of("console", "\"(?:time|memory)\":", "\"[^\"]*\""));

  /** Whether neighbours may differ where noisy releases flow. */
  enum Compared {
    /** The marked rows count as zero: with the same keys nothing at all may differ. */
    TO_THE_BYTE,
    /** The marked rows count, or keys differ: what is noised may differ, and nothing else. */
    BUT_FOR_NOISE
  }

  /**
   * Runs the command.
   *
   * @param folder all files that it leaves are below this folder
   * @param before files that were there before, which nobody told
   */
  static WhatWasTold by(Path folder, Path before, List<String> arguments) throws IOException {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream beside = new ByteArrayOutputStream();
    Run run;
    try (PrintStream heard = new PrintStream(beside, true, StandardCharsets.UTF_8)) {
      System.setOut(heard);
      System.setErr(heard);
      run = Run.of(arguments.toArray(String[]::new));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    Map<String, byte[]> files = new TreeMap<>();
    Map<String, FileTime> times = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.filter(path -> !path.startsWith(before)).toList()) {
        String name = folder.relativize(each).toString();
        boolean file = Files.isRegularFile(each);
        files.put(name + (file ? "" : "/"), file ? Files.readAllBytes(each) : new byte[0]);
        times.put(name, Files.getLastModifiedTime(each));
      }
    }
    return new WhatWasTold(
        run.code(),
        run.out(),
        run.err() + beside.toString(StandardCharsets.UTF_8),
        files,
        times,
        folder);
  }

  /** Texts by where they were told, for a comparison. */
  private Map<String, String> texts(Compared compared) {
    Map<String, String> texts = new TreeMap<>();
    texts.put("standard out, console", bytes(unlabelled(out)));
    texts.put("standard error, console", bytes(unlabelled(err)));
    files.forEach((name, bytes) -> texts.put(name, text(name, bytes, compared)));
    texts.replaceAll(
        (name, text) -> {
          String shown = text.replace(folder.toString(), "");
          for (Place each : TIMED) {
            shown = each.masked(name, shown);
          }
          for (Place each : compared == Compared.BUT_FOR_NOISE ? NOISED : List.<Place>of()) {
            shown = each.masked(name, shown);
          }
          return shown;
        });
    return texts;
  }

  /** A character for each byte, as in files. */
  private static String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static String text(String name, byte[] bytes, Compared compared) {
    if (!name.endsWith(".safetensors") || compared == Compared.TO_THE_BYTE) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    // The head names tensors and their shapes; what follows is noised, and as long for neighbours.
    long head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    return new String(bytes, 0, 8 + (int) head, StandardCharsets.ISO_8859_1)
        + (bytes.length - 8 - head)
        + " bytes of numbers";
  }

  /** What a console shows without the label that it is outside the guarantee. */
  static String unlabelled(String console) {
    List<String> kept = new ArrayList<>();
    boolean reasons = false;
    for (String line : console.split("\n", -1)) {
      boolean labelled = line.contains("outside the guarantee") || line.contains("for your eyes");
      // The reasons why rows do not fit are indented below the line that is labelled.
      reasons =
          labelled
              ? line.endsWith(":")
              : reasons && line.replaceFirst("^discreet[a-z ]*: ", "").startsWith("  ");
      if (!labelled && !reasons) {
        kept.add(line.replaceAll("\"outsideTheGuarantee\":\\{[^}]*\\}", ""));
      }
    }
    return String.join("\n", kept);
  }

  /** Asserts that a neighbour was told the same. */
  void sameAs(WhatWasTold other, Compared compared) {
    assertEquals(code, other.code, err + other.err);
    assertEquals(files.keySet(), other.files.keySet(), "names of files");
    Map<String, String> theirs = other.texts(compared);
    texts(compared).forEach((name, text) -> assertEquals(text, theirs.get(name), name));
    sameOrder(other);
  }

  /** No two files are written in one order here and in the other there. */
  private void sameOrder(WhatWasTold other) {
    for (String one : times.keySet()) {
      for (String two : times.keySet()) {
        int here = times.get(one).compareTo(times.get(two));
        int there = other.times.get(one).compareTo(other.times.get(two));
        if (here * there < 0) {
          throw new AssertionError("the times of " + one + " and " + two + " are in another order");
        }
      }
    }
  }

  /** The first place where one of the marks is told without a label, as noise or as a picture. */
  Optional<String> told(Marks marks) {
    for (Map.Entry<String, String> each : texts(Compared.TO_THE_BYTE).entrySet()) {
      Optional<String> found =
          marks
              .in(each.getValue().getBytes(StandardCharsets.ISO_8859_1))
              .or(() -> marks.in(bytes(each.getKey()).getBytes(StandardCharsets.ISO_8859_1)))
              .or(
                  () ->
                      PICTURE
                          .matcher(each.getValue())
                          .results()
                          .flatMap(picture -> marks.in(pixels(picture.group(1))).stream())
                          .findFirst());
      if (found.isPresent()) {
        return Optional.of(each.getKey() + " has " + found.get());
      }
    }
    return Optional.empty();
  }

  /** The samples of a picture, row by row. */
  private static byte[] pixels(String base64) {
    try {
      Raster raster =
          ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(base64))).getRaster();
      int[] samples = raster.getPixels(0, 0, raster.getWidth(), raster.getHeight(), (int[]) null);
      byte[] bytes = new byte[samples.length];
      for (int i = 0; i < samples.length; i++) {
        bytes[i] = (byte) samples[i];
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All texts without noise, times, random names and hashes of them. */
  List<String> lines() {
    return texts(Compared.BUT_FOR_NOISE)
        .toString()
        .replaceAll("\\b(?=[0-9]*[a-f])[0-9a-f]{32,}\\b", "#")
        // The recipe's digest, shortened: it has the path of the data in it.
        .replaceAll("\\btrain +[0-9a-f]{8}\\b", "train #")
        .replaceAll("\"journal\":\"file \\d+\"", "#")
        .replaceAll("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "#")
        .replaceAll("(?m)^(.*=)?[0-9a-f]{8} (?=\\{)", "$1# ")
        .replaceAll("\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]+(?:Z| UTC)?", "#")
        .lines()
        .toList();
  }

  /** Everything in one text, for a look by eye. */
  @Override
  public String toString() {
    return "exit code " + code + "\n" + out + err + Arrays.toString(files.keySet().toArray());
  }
}
