package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  /** Values of messages may come from a stranger's file. */
  @Test
  void whatIsSaidOfAValueSteersNoTerminal() {
    Run run = Run.of("train", "--data", "a\u001b[2Jb\nc\u009bd");
    assertEquals(1, run.err().lines().count(), run.err());
    assertFalse(run.err().contains("\u001b") || run.err().contains("\u009b"), run.err());
  }

  @Test
  void theVersionIsOneLine() {
    Run run = Run.of("--version").done();
    assertTrue(run.out().startsWith("discreet "), run.out());
    assertEquals(1, run.out().lines().count());
  }

  @Test
  void helpNamesTheVerbs() {
    String help = Run.of("--help").done().out();
    for (String verb : new String[] {"epsilon", "calibrate", "compare", "bench"}) {
      assertTrue(help.contains("\n  " + verb + " "), help);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epsilon", "calibrate", "compare"})
  void helpOfAVerbShowsDefaultsAndUsesNoColour(String verb) {
    String help = Run.of(verb, "--help").done().out();
    assertTrue(help.contains("Default: poisson."), help);
    assertTrue(help.contains("Default: add/remove."), help);
    assertEquals(!verb.equals("compare"), help.contains("Default: pld."), help);
    assertFalse(help.contains("\u001b"), help);
  }

  @Test
  void helpAndVersionAreVerbsToo() {
    assertEquals(Run.of("--help").done(), Run.of("help").done());
    assertEquals(Run.of("--version").done(), Run.of("version").done());
    assertEquals(Run.of("calibrate --help").done(), Run.of("help calibrate").done());
    assertEquals(
        Run.of("bench accountants --help").done(), Run.of("help bench accountants").done());
    assertEquals(
        "discreet: unknown verb 'epslon'; did you mean epsilon?", Run.of("help epslon").line(2));
    assertEquals(
        "discreet bench: unknown verb 'xyz'; the verbs are accountants, step, scaling, device",
        Run.of("help bench xyz").line(2));
  }

  @Test
  void anUnknownVerbIsGuessed() {
    assertEquals(
        "discreet: unknown verb 'epslon'; did you mean epsilon?", Run.of("epslon").line(2));
  }

  @Test
  void aVerbLikeNoOtherGetsTheList() {
    assertEquals(
        "discreet: unknown verb 'xyz'; the verbs are train, evaluate, predict, export, data, regress, tune, epsilon, calibrate, compare, query, account, audit, geometry, reproduce, bench, help, completion, version",
        Run.of("xyz").line(2));
  }

  @Test
  void theNameAloneSaysWhatToTry() {
    String said = Run.of("").done().out();
    assertTrue(said.contains("\n  discreet train  "), said);
  }

  @Test
  void aShellLearnsVerbsAndOptions() {
    String script = Run.of("completion").done().out();
    assertTrue(script.startsWith("#!/usr/bin/env bash"), script.substring(0, 40));
    assertTrue(script.contains("--noise-multiplier"), "options");
    assertTrue(script.contains("_picocli_discreet_account_open"), "verbs of verbs");
  }

  @Test
  void aVerbOfAVerbIsNeededToo() {
    assertEquals(
        "discreet bench: a verb is missing; one of accountants, step, scaling, device (discreet bench --help says more)",
        Run.of("bench").line(2));
  }

  @Test
  void aFailureShowsItsStackOnlyOnDemand() {
    String arguments = "epsilon --ledger /no/such/ledger.json --delta 1e-5";
    assertEquals("discreet epsilon: there is no /no/such/ledger.json", Run.of(arguments).line(2));
    Run shown = Run.of(arguments + " --debug");
    assertEquals(2, shown.code());
    assertTrue(shown.err().contains("\tat dev.discreet.cli."), shown.err());
  }

  @Test
  void aResultThatCannotBeWrittenIsAFailure() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("no space left");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    StringWriter err = new StringWriter();
    String[] arguments =
        "epsilon --noise-multiplier 1 --sampler none --steps 1 --delta 1e-5".split(" ");
    assertEquals(1, Main.run(arguments, new PrintWriter(full), new PrintWriter(err)));
    assertEquals(1, err.toString().lines().count());
  }
}
