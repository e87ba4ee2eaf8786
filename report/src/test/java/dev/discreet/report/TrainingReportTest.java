package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism.Gaussian;
import dev.discreet.accounting.Mechanism.PoissonSampled;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.accounting.statement.TradeOff;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.train.Result;
import dev.discreet.report.TrainingReport.Misread;
import dev.discreet.report.TrainingReport.Reproduce;
import dev.discreet.report.TrainingReport.Row;
import dev.discreet.report.TrainingReport.Score;
import dev.discreet.report.TrainingReport.Spent;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingReportTest {
  private static final Score PUBLIC = new Score.PublicTest(List.of());
  private static final Reproduce COMMAND = new Reproduce("discreet train", "");

  private static TrainingReport report(Result result, List<Spent> spent, Score score) {
    return new TrainingReport("A", "b", result, List.of(), spent, score, List.of(), COMMAND);
  }

  private static String wrong(Runnable action) {
    return assertThrows(IllegalArgumentException.class, action::run).getMessage();
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void aPageOfTenClassesAndTwentyPicturesIsSmallAndRefersToNothing() {
    String html = Samples.clothes().html();
    int size = html.getBytes(StandardCharsets.UTF_8).length;
    assertTrue(size < 300_000, size + " bytes");
    assertEquals(20, count(html, "alt=\"An example of "));
    Matcher refers =
        Pattern.compile("(?i)(?:src|href|url\\(|@import|action)\\W{1,2}(.{0,5})")
            .matcher(html.replaceAll("(?s)<meta http-equiv.*?>", ""));
    while (refers.find()) {
      assertEquals("data:", refers.group(1), refers.group());
    }
    assertFalse(html.contains("http:") || html.contains("https:") || html.contains("<script"));
  }

  @Test
  void thePromiseIsRoundedUpAndNeverDown() {
    TrainingReport report = Samples.threeClasses();
    Guarantee guarantee = ((Guaranteed) report.result().privacy()).guarantee();
    String html = report.html();
    assertTrue(html.contains("≤ " + Digits.up(guarantee.epsilon())));
    assertTrue(
        html.contains(
            "[" + Digits.down(guarantee.epsilonLower()) + ", " + Digits.up(guarantee.epsilon())));
    assertTrue(Double.parseDouble(Digits.up(guarantee.epsilon())) >= guarantee.epsilon());
    assertFalse(html.contains("class=\"banner\""));
    // Every word of the statement is there, its sentence about attacks also beside the curve, and
    // what was declared also among the settings of the run.
    String words = html.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
    for (String each : report.result().privacy().statement().split("\n\\s*\n")) {
      String paragraph = each.replaceAll("\\s+", " ").strip();
      String body = paragraph.substring(paragraph.indexOf(": ") + 1).strip();
      boolean twice =
          paragraph.startsWith("What an attacker could do: ") || paragraph.startsWith("Declared: ");
      assertEquals(twice ? 2 : 1, paragraph.equals("PRIVACY STATEMENT") ? 1 : count(words, body));
    }
    // What a caller bounded less tightly than the whole run is not shown as more than that.
    String loose = report(report.result(), List.of(new Spent(60, 50)), PUBLIC).html();
    assertTrue(loose.contains("step 60: ε ≤ " + Digits.up(guarantee.epsilon())));
    assertFalse(loose.contains("≤ 50"));
  }

  @Test
  void aRunWithoutPrivacySaysSoFirstAndPromisesNothing() {
    String html = Samples.nonPrivate().html();
    String body = html.substring(html.indexOf("<body>") + 6).strip();
    assertTrue(body.startsWith("<aside class=\"banner\" role=\"note\"><strong>NOT PRIVATE"));
    assertTrue(html.contains("<title>NO PRIVACY"));
    assertFalse(html.contains("≤"), "no bound is stated");
    assertFalse(html.contains("id=\"attack\"") || html.contains("id=\"cost\""));
  }

  @Test
  void anInsecureRunSaysSoFirstAndPromisesNothing() {
    String html = Samples.insecure().html();
    String body = html.substring(html.indexOf("<body>") + 6).strip();
    assertTrue(body.startsWith("<aside class=\"banner\" role=\"note\"><strong>INSECURE"));
    assertFalse(html.contains("certified") || html.contains("<dt>Promise"));
    assertFalse(html.contains("id=\"attack\""));
    assertTrue(html.contains("epsilon with secret keys") && html.contains("No promise"));
  }

  @Test
  void aRunWithoutAFiniteEpsilonPromisesNothing() {
    Result run = Samples.threeClasses().result();
    Guaranteed kept = (Guaranteed) run.privacy();
    double infinity = Double.POSITIVE_INFINITY;
    Guarantee none = new Guarantee(0, infinity, 0, 1e-5, "pld", "no <finite> bound was found");
    Guaranteed nothing =
        new Guaranteed(
            kept.file(), new PrivacyStatement("row", kept.ledger(), none, 1), List.of(), true);
    Result result =
        new Result(nothing, run.model(), run.steps(), run.evaluations(), run.provenance());
    String html = report(result, List.of(new Spent(0, 0), new Spent(60, infinity)), PUBLIC).html();
    assertTrue(html.contains("<strong>NO GUARANTEE</strong> No finite epsilon. no &lt;finite&gt;"));
    assertFalse(html.contains("≤") || html.contains("id=\"attack\""));
  }

  @Test
  void withoutAPublicTestSetNothingExactIsShown() {
    String noised = Samples.unseen(Samples.noised(true, 1, 0.012)).html();
    assertTrue(noised.contains("<h2>Held-out accuracy</h2><p class=\"value\">at least 97.60%"));
    String error = Samples.unseen(Samples.noised(false, 0.75, 0.001)).html();
    assertTrue(error.contains("<h2>Held-out RMSE</h2><p class=\"value\">0.5, from 0.498 to 0.502"));
    String drowned = Samples.unseen(Samples.noised(true, 0.9, 0.3)).html();
    assertTrue(drowned.contains("<h2>Held-out accuracy</h2><p class=\"value\">says nothing</p>"));
    String silent = Samples.unseen(new Score.ConsoleOnly()).html();
    assertTrue(silent.contains("went to the operator's console only"));
    for (String html : List.of(noised, error, drowned, silent)) {
      assertFalse(
          html.contains("<img") || html.contains("confusion\"") || html.contains("Test loss"));
    }
  }

  @Test
  void allTextIsEscaped() {
    String bad = "</title><script>alert(\"1\")</script>'&\u0007";
    String safe = "&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;\uFFFD";
    TrainingReport sample = Samples.threeClasses();
    Misread misread = new Misread(new Shape(1, 1, 3), new byte[3], bad, bad, 1);
    String html =
        new TrainingReport(
                bad.replace("\u0007", ""),
                bad.replace("\u0007", ""),
                sample.result(),
                List.of(bad, "b", "c"),
                sample.spent(),
                new Score.PublicTest(List.of(misread)),
                List.of(new Row(bad, bad)),
                new Reproduce("x --" + bad, bad))
            .html();
    assertFalse(html.contains("<script"));
    // An example's texts, its alt text, the plan, command and run file, and the confusion matrix.
    assertEquals(10, count(html, safe));
  }

  @Test
  void picturesHaveTheGivenPixels() throws Exception {
    byte[] pixels = {0, 64, (byte) 128, (byte) 255, 10, 20};
    Result run = Samples.threeClasses().result();
    for (int channels : new int[] {1, 3}) {
      Shape shape = channels == 1 ? new Shape(2, 3, 1) : new Shape(1, 2, 3);
      Score score = new Score.PublicTest(List.of(new Misread(shape, pixels, "a", "b", 0.5)));
      Matcher data =
          Pattern.compile("base64,([^\"]*)").matcher(report(run, List.of(), score).html());
      assertTrue(data.find());
      byte[] png = Base64.getDecoder().decode(data.group(1));
      int[] read =
          ImageIO.read(new ByteArrayInputStream(png))
              .getRaster()
              .getPixels(0, 0, shape.width(), shape.height(), (int[]) null);
      for (int i = 0; i < pixels.length; i++) {
        assertEquals(pixels[i] & 0xFF, read[i], "sample " + i + " of " + channels + " channels");
      }
    }
  }

  /** Never above what is certified, and hardly below. */
  @ParameterizedTest
  @CsvSource({"0.1, 2, 100", "0.02, 0.8, 500", "0.001, 4, 10"})
  void theLineOfAttacksIsABound(double rate, double noise, int steps) {
    Ledger ledger =
        Ledger.of(Neighbouring.ADD_REMOVE, new PoissonSampled(rate, new Gaussian(noise)), steps);
    double epsilon = new PldAccountant().epsilon(ledger, 1e-5).epsilon();
    Attack attack = new Attack(ledger, epsilon);
    TradeOff exact = new TradeOff(new PldAccountant(1e-2), ledger);
    for (double wrong : new double[] {0.001, 0.1, 0.5}) {
      double least = 1 - exact.truePositiveRate(wrong);
      assertEquals(least, attack.missed(wrong), 0.01, "at " + wrong);
      assertTrue(attack.missed(wrong) <= least + 1e-3, "at " + wrong);
    }
    assertTrue(attack.missed(0) <= 1 && attack.missed(1) == 0);
  }

  @Test
  void wrongInputIsNamed() {
    TrainingReport sample = Samples.threeClasses();
    Result run = sample.result();
    assertEquals(
        "step must be greater than 5. Provided value: 5",
        wrong(() -> report(run, List.of(new Spent(5, 1), new Spent(5, 2)), PUBLIC)));
    assertEquals("epsilon must be at least 0. Provided value: -1", wrong(() -> new Spent(5, -1)));
    assertTrue(
        wrong(() -> report(run, List.of(), new Score.ConsoleOnly()))
            .startsWith("score must be that of a public test set"));
    assertEquals(
        "class names must be none or 3. Provided value: 1",
        wrong(
            () ->
                new TrainingReport(
                    "A", "b", run, List.of("one"), List.of(), PUBLIC, List.of(), COMMAND)));
    assertEquals(
        "title must be a text on one line. Provided value: ?",
        wrong(
            () ->
                new TrainingReport(
                    "\n", "b", run, List.of(), List.of(), PUBLIC, List.of(), COMMAND)));
    Shape shape = new Shape(2, 2, 1);
    assertEquals(
        "pixels must be 4. Provided value: 3",
        wrong(() -> new Misread(shape, new byte[3], "a", "b", 0.5)));
    assertEquals(
        "channels of an example must be 1 or 3. Provided value: 2",
        wrong(() -> new Misread(new Shape(2, 2, 2), new byte[8], "a", "b", 0.5)));
    assertEquals(
        "confidence must be in [0, 1]. Provided value: 1.5",
        wrong(() -> new Misread(shape, new byte[4], "a", "b", 1.5)));
    assertEquals(
        "score must be in [0, 1]. Provided value: NaN",
        wrong(() -> Samples.noised(true, Double.NaN, 1)));
  }

  @Test
  void manyEvaluationsDoNotMakeALargePage() {
    assertTrue(Samples.with(100, 5_000).html().length() < 150_000);
    assertEquals(80, Chart.thin(IntStream.range(0, 5_000).boxed().toList()).size());
  }

  @ParameterizedTest
  @CsvSource({"0.2, 0.9", "0.95, 0.951", "0.98, 0.9999", "1, 1", "0, 0"})
  void sharesStayWithinTheirEnds(double least, double most) {
    Axis axis = Axis.shares(new double[] {least, most}, "");
    assertTrue(axis.from() >= 0 && axis.from() <= least && axis.to() >= most && axis.to() <= 1);
    assertTrue(axis.ticks().size() >= 3, axis.ticks().toString());
    for (double tick : axis.ticks()) {
      assertTrue(tick >= axis.from() - 1e-9 && tick <= axis.to() + 1e-9, tick + " of " + axis);
    }
    List<String> texts = axis.ticks().stream().map(axis.text()::apply).toList();
    assertEquals(texts.size(), texts.stream().distinct().count(), "ticks are told apart: " + texts);
  }
}
