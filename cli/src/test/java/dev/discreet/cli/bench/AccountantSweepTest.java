package dev.discreet.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A small, seeded part of `discreet bench accountants`. */
class AccountantSweepTest {

  @Test
  void accountantsAreTotalOnASeededSample() {
    AccountantSweep.Findings findings = AccountantSweep.run(60, 20261115, done -> {});
    assertEquals(List.of(), findings.failures());
    assertTrue(
        findings.judged() >= 20, "only " + findings.judged() + " cases to judge the width by");
    assertTrue(findings.shareNarrow() >= 0.95, "narrow in " + findings.shareNarrow());
  }
}
