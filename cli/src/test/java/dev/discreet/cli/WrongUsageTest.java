package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong usage is exit code 2 and one line that says what is wrong and what is allowed. */
class WrongUsageTest {

  /** The verbs read the same options, so each mistake is made with {@code epsilon}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --noise-multiplier | -1    | noise multiplier must be in [0, infinity]. Provided value: -1
          --noise-multiplier | NaN   | noise multiplier must be in [0, infinity]. Provided value: NaN
          --noise-multiplier | abc   | noise multiplier must be a number. Provided value: abc
          --noise-multiplier | 1d    | noise multiplier must be a number. Provided value: 1d
          --sampling-rate    | 1.01  | sampling rate must be in [0, 1]. Provided value: 1.01
          --sampling-rate    | -0.1  | sampling rate must be in [0, 1]. Provided value: -0.1
          --sampling-rate    | NaN   | sampling rate must be in [0, 1]. Provided value: NaN
          --sampling-rate    | 3/2   | sampling rate must be in [0, 1]. Provided value: 3/2
          --sampling-rate    | 0/0   | sampling rate must be in [0, 1]. Provided value: 0/0
          --steps            | 0     | steps must be a whole number in [1, 1000000000000]. Provided value: 0
          --steps            | -3    | steps must be a whole number in [1, 1000000000000]. Provided value: -3
          --steps            | 2.5   | steps must be a whole number in [1, 1000000000000]. Provided value: 2.5
          --steps            | 1e-2  | steps must be a whole number in [1, 1000000000000]. Provided value: 1e-2
          --steps            | 1e13  | steps must be a whole number in [1, 1000000000000]. Provided value: 1e13
          --steps            | 1e999999999 | steps must be a whole number in [1, 1000000000000]. Provided value: 1e999999999
          --steps            | NaN   | steps must be a whole number in [1, 1000000000000]. Provided value: NaN
          --steps            | many  | steps must be a whole number in [1, 1000000000000]. Provided value: many
          --delta            | 1     | delta must be in [0, 1). Provided value: 1
          --delta            | 1.5   | delta must be in [0, 1). Provided value: 1.5
          --delta            | -1e-5 | delta must be in [0, 1). Provided value: -1e-5
          --delta            | NaN   | delta must be in [0, 1). Provided value: NaN
          --delta            | 1e-400 | delta must be 0 or at least 4.9e-324. Provided value: 1e-400
          --sampling-rate    | 1e-400/3 | sampling rate must be 0 or at least 4.9e-324. Provided value: 1e-400/3
          --delta            | abc   | delta must be a number. Provided value: abc
          --group            | 0     | group must be a whole number in [1, 1000000]. Provided value: 0
          --accountant       | magic | accountant must be one of pld, rdp, moments, strong, sequential, gdp. Provided value: magic
          --neighbouring     | near  | neighbouring must be one of add/remove, replace-one, zero-out. Provided value: near
          --sampler          | dice  | sampler must be one of poisson, fixed, none. Provided value: dice
          """)
  void aValueOutOfItsRange(String option, String value, String message) {
    String arguments = "--noise-multiplier 4 --sampling-rate 0.01 --steps 10 --delta 1e-5 ";
    String others = arguments.replaceFirst(option + " \\S+ ", "");
    Run run = Run.of("epsilon " + others + option + " " + value);
    assertEquals("discreet epsilon: " + message, run.line(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          epsilon --sampling-rate 0.01 --steps 10 --delta 1e-5 | --noise-multiplier S is missing
          epsilon --noise-multiplier 4 --steps 10 --delta 1e-5 | --sampling-rate Q is missing
          epsilon --noise-multiplier 4 --sampling-rate 0.01 --delta 1e-5 | --steps T is missing
          epsilon --noise-multiplier 4 --sampling-rate 0.01 --steps 10 | --delta D (or --epsilon E, to ask for delta) is missing
          epsilon  | --noise-multiplier S, --sampling-rate Q, --steps T, --delta D (or --epsilon E, to ask for delta) are missing
          epsilon --sampler fixed | --noise-multiplier S, --lot-size L, --units N, --steps T, --delta D (or --epsilon E, to ask for delta) are missing
          compare --steps 3 | --noise-multiplier S, --sampling-rate Q, --delta D are missing
          calibrate --steps 3 | --epsilon E, --delta D are missing
          calibrate --sampler fixed --epsilon 1 --delta 0.1 --steps 3 | --lot-size L, --units N are missing
          calibrate --epsilon 1 --delta 0 --sampling-rate 0.1 --steps 3 | epsilon must be reachable: no noise multiplier up to 1e9 reaches it at delta 0, where Gaussian noise gives no finite epsilon. Provided value: 1
          calibrate --mechanism gaussian --epsilon 1 --delta 0 | delta must be in (0, 1) for Gaussian noise. Provided value: 0
          epsilon --sampler none --noise-multiplier 4 --steps 1 --delta 0.1 --epsilon 1 | --delta and --epsilon cannot stand together: one is asked for at the other
          epsilon --sampler none --noise-multiplier 4 --steps 1 --epsilon -1 | epsilon must be in [0, infinity]. Provided value: -1
          epsilon --sampler none --noise-multiplier 4 --steps 1 --epsilon 1 --group 2 | group must be 1 with --epsilon. Provided value: 2
          epsilon --sampler none --noise-multiplier 4 --steps 1 --delta 0.1 --group 2 --accountant gdp | accountant must be one that gives guarantees. Provided value: gdp
          epsilon --sampler none --noise-multiplier 4 --steps 1 --delta 0.1 --statement --accountant rdp | accountant must be pld for a statement. Provided value: rdp
          epsilon --sampler none --noise-multiplier 4 --steps 1 --sampling-rate 0.1 --delta 0.1 | --sampling-rate is not for --sampler none
          epsilon --sampler fixed --noise-multiplier 4 --steps 1 --units 10 --delta 0.1 | --lot-size L is missing
          epsilon --sampler fixed --noise-multiplier 4 --steps 1 --lot-size 11 --units 10 --delta 0.1 | lot size must be in [0, 10]. Provided value: 11
          epsilon --noise-multiplier 4 --sampling-rate 0.01 --lot-size 3 --steps 1 --delta 0.1 | --lot-size is for --sampler fixed
          epsilon --ledger ledger.json --steps 3 --delta 0.1 | --steps cannot stand beside --ledger, which says it all
          epsilon --sampler none --noise-multiplier 4 --steps 1 --delt 0.1 | unknown option '--delt'; did you mean --delta?
          train --clip-quantil 0.5 | unknown option '--clip-quantil'; did you mean --clip-quantile?
          epsilon --sampler none --noise-multiplier 4 --steps 1 --delta 0.1 more | unknown argument 'more'; discreet epsilon --help lists what is known
          epsilon --noise-multiplier 4 --steps --delta 0.1 | --steps needs a value T: Number of steps; 1e4 means 10000.
          epsilon --noise-multiplier 4 --steps | --steps needs a value T: Number of steps; 1e4 means 10000.
          epsilon --delta 0.1 --delta 0.1 | option '--delta' (D) should be specified only once
          epsilon --sampler= --delta 0.1 | sampler must be one of poisson, fixed, none. Provided value: (empty)
          epsilon --ledger= --delta 0.1 | file must be named. Provided value: (empty)
          epsilon --sampler none --noise-multiplier 4 --steps 1 --delta 0.1 --unit= | unit must be a singular noun on one line. Provided value: (empty)
          calibrate --delta 0.1 --sampling-rate 0.1 --steps 3 | --epsilon E is missing
          calibrate --epsilon 1 --sampling-rate 0.1 --steps 3 | --delta D is missing
          calibrate --epsilon 1 --delta 0.1 --steps 3 | exactly one of --noise-multiplier, --sampling-rate and --steps must be missing, to be found; missing are --noise-multiplier, --sampling-rate
          calibrate --epsilon 1 --delta 0.1 --noise-multiplier 1 --sampling-rate 0.1 --steps 3 | exactly one of --noise-multiplier, --sampling-rate and --steps must be missing, to be found; missing is none
          calibrate --epsilon 0 --delta 0.1 --sampling-rate 0.1 --steps 3 | epsilon must be in (0, infinity). Provided value: 0
          calibrate --mechanism classical-gaussian --epsilon 1 --delta 1e-5 | epsilon must be in (0, 1) for the classical Gaussian mechanism. Provided value: 1
          calibrate --mechanism gaussian --epsilon 1 | --delta D is missing
          calibrate --mechanism laplace --epsilon 1 --delta 0.1 | delta must be 0 or left out for laplace. Provided value: 0.1
          calibrate --mechanism gaussian --epsilon 1 --delta 0.1 --steps 2 | --steps cannot stand beside --mechanism, which is one release
          calibrate --mechanism uniform --epsilon 1 | mechanism must be one of gaussian, classical-gaussian, laplace. Provided value: uniform
          calibrate --mechanism laplace --epsilon 1 --delta 1e-5 | delta must be 0 or left out for laplace. Provided value: 1e-5
          calibrate --epsilon 1e400 --delta 0.1 --sampling-rate 0.1 --steps 3 | epsilon must be in (0, infinity). Provided value: 1e400
          calibrate --epsilon 1 --mechanism | --mechanism needs a value NAME: One release of gaussian (analytic, the least noise), classical-gaussian (epsilon below 1) or laplace (no delta).
          compare --accountant pld | unknown option '--accountant'; discreet compare --help lists what is known
          compare --seed-001-problem-4=4 | --seed-001-problem-4 takes no value
          compare --noise-multiplier 4 --sampling-rate 0.01 --steps 10 | --delta D is missing
          compare --sampler none --noise-multiplier 4 --steps 1 --delta 0.1 --plot plot.pdf | plot must be a file that ends in .svg or .png. Provided value: plot.pdf
          compare --ledger ledger.json --delta 0.1 --plot plot.svg | --plot draws against steps, which --ledger fixes
          compare --seed-001-problem-4 --delta 0.1 | --delta cannot stand beside --seed-001-problem-4, whose setting is fixed
          """)
  void optionsThatDoNotGoTogether(String arguments, String message) {
    String verb = arguments.split(" ")[0];
    assertEquals("discreet " + verb + ": " + message, Run.of(arguments).line(2));
    assertEquals("discreet " + verb + ": " + message, Run.of(arguments + " --json").line(2));
  }

  /** A word of like meaning, else a slip of the fingers, else nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          query median    | unknown verb 'median'; did you mean quantile --quantile 0.5?
          query avg       | unknown verb 'avg'; did you mean mean?
          query cuont     | unknown verb 'cuont'; did you mean count?
          query mode      | unknown verb 'mode'; the verbs are count, sum, mean, variance, ratio, histogram, quantile, ask
          query medium    | unknown verb 'medium'; the verbs are count, sum, mean, variance, ratio, histogram, quantile, ask
          median          | unknown verb 'median'; did you mean query quantile --quantile 0.5?
          histogram       | unknown verb 'histogram'; did you mean query histogram?
          fit             | unknown verb 'fit'; did you mean train?
          test            | unknown verb 'test'; did you mean evaluate?
          budget          | unknown verb 'budget'; did you mean epsilon?
          trian           | unknown verb 'trian'; did you mean train?
          train --lr 0.1  | unknown option '--lr'; did you mean --learning-rate?
          train --batch-size 10 | unknown option '--batch-size'; did you mean --lot-size?
          train --max_grad_norm 1 | unknown option '--max_grad_norm'; did you mean --clip?
          train --sigma=1 | unknown option '--sigma=1'; did you mean --noise-multiplier?
          train --lot_size 1 | unknown option '--lot_size'; did you mean --lot-size?
          epsilon --eps 1 | unknown option '--eps'; did you mean --epsilon?
          epsilon --lr 1  | unknown option '--lr'; discreet epsilon --help lists what is known
          epsilon --colour red | unknown option '--colour'; discreet epsilon --help lists what is known
          """)
  void whatWasMeant(String arguments, String message) {
    String line = Run.of(arguments).line(2);
    assertEquals(message, line.substring(line.indexOf(": ") + 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "0", "1.5", "NaN", "Infinity", "1e99", "many", ""})
  void aMeasurementNeedsCases(String cases) {
    assertEquals(
        "discreet bench accountants: cases must be a whole number in [1, 1000000]."
            + " Provided value: "
            + (cases.isEmpty() ? "(empty)" : cases),
        Run.of("bench", "accountants", "--cases", cases).line(2));
  }

  /** Whatever stands behind it, no option of any verb ends in more than one line. */
  @ParameterizedTest
  @CsvSource({
    "epsilon, --noise-multiplier 4 --sampling-rate 0.01 --steps 10 --delta 1e-5",
    "calibrate, --epsilon 1 --sampling-rate 0.01 --steps 10 --delta 1e-5",
    "calibrate, --epsilon 0.5 --delta 1e-5 --mechanism gaussian",
    "compare, --noise-multiplier 4 --sampling-rate 0.01 --steps 10 --delta 1e-5",
    "bench accountants, --cases 1 --seed 1",
  })
  void everyOptionRefusesInOneLine(String verb, String options) {
    String[] words = options.split(" ");
    for (int i = 0; i < words.length; i += 2) {
      String option = words[i];
      String others = verb + " " + options.replace(option + " " + words[i + 1], "").strip();
      for (String value : new String[] {"NaN", "-1", "-Infinity", "1/0/0", "1,5", "0x1", "ε"}) {
        String line = Run.of(others + " " + option + " " + value).line(2);
        assertTrue(line.endsWith(". Provided value: " + value), line);
        assertTrue(line.contains(" must be "), line);
      }
      String empty = Run.of(others + " " + option + "=").line(2);
      assertTrue(empty.endsWith(". Provided value: (empty)"), empty);
      String bare = Run.of(others + " " + option).line(2);
      assertTrue(bare.contains(": " + option + " needs a value "), bare);
      String twice = Run.of(verb + " " + options + " " + option + " " + words[i + 1]).line(2);
      assertTrue(
          twice.contains(": option '" + option + "' (")
              && twice.endsWith(") should be specified only once"),
          twice);
      String longer = Run.of(others + " " + option + "x 1").line(2);
      assertTrue(longer.contains(": unknown option '" + option + "x'; "), longer);
    }
  }
}
