package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AuditReportTest {
  private static final AuditReport HONEST = AuditSamples.report(2000, 0.1, Optional.of(1.2));

  @Test
  void theFirstLineSaysWhoseItIs() {
    String page = HONEST.html();
    assertTrue(page.startsWith("<!-- OUTSIDE THE GUARANTEE: "), page.substring(0, 80));
    assertTrue(page.contains("<title>OUTSIDE THE GUARANTEE – Who was in the data?</title>"));
    int banner = page.indexOf("class=\"banner\"");
    assertTrue(banner > 0 && banner < page.indexOf("<h1>"));
    assertFalse(page.contains("<digits>"));
  }

  @Test
  void theTableHasEachAttackerAndTheCertificate() {
    String page = HONEST.html();
    for (AuditReport.Attacker attacker : HONEST.attackers()) {
      assertTrue(page.contains("<td>" + attacker.name() + "</td>"), attacker.name());
    }
    assertTrue(page.contains("≥ 0.123456<"), "a lower bound is rounded down");
    double most = HONEST.certificate().orElseThrow().curve().truePositiveRate(0.01);
    assertTrue(page.contains("≤ " + Html.percent(most, 2)));
    assertTrue(page.contains("certified, any attacker"));
  }

  /** The region begins on the curve and ends at the top: what no attack may reach. */
  @Test
  void whatTheCertificateForbidsIsShaded() {
    Matcher region =
        Pattern.compile(
                "<path class=\"line forbidden\" d=\"M([0-9.]+) ([0-9.]+)L[^\"]*L([0-9.]+) ([0-9.]+)\"")
            .matcher(HONEST.html());
    assertTrue(region.find());
    double top = 38;
    assertEquals(Double.parseDouble(region.group(1)), Double.parseDouble(region.group(3)));
    assertEquals(top, Double.parseDouble(region.group(4)));
    double most = HONEST.certificate().orElseThrow().curve().truePositiveRate(1e-3);
    double height = Chart.HEIGHT - 50 - top;
    assertEquals(top + height * Math.log10(most) / -3, Double.parseDouble(region.group(2)), 0.06);
  }

  @Test
  void withoutACertificateNothingIsForbidden() {
    String page = AuditSamples.report(2000, 1, Optional.empty()).html();
    assertFalse(page.contains("class=\"line forbidden\""));
    assertTrue(page.contains("unbounded") && page.contains("nothing is promised"));
    assertFalse(page.contains("certified, any attacker"));
  }

  /** A rate of one of 10,000 others is seen, so the axis begins there. */
  @Test
  void theAxisBeginsWhereThePlayersEnd() {
    assertTrue(AuditSamples.report(20000, 1, Optional.empty()).html().contains(">0.01%</text>"));
    assertFalse(HONEST.html().contains(">0.01%</text>"));
    assertTrue(HONEST.html().contains(">0.1%</text>"));
  }
}
