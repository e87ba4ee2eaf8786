package dev.discreet.core.privacy;

import static dev.discreet.core.privacy.UnrelatedNoise.SIZE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.PrivacyPlan.Sampling;
import dev.discreet.core.privacy.draws.Scores;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the noise of any two releases relates: not at all, whether one session made both or two, and
 * by whatever door.
 */
class SessionNoiseTest {
  private static final Mechanism GAUSSIAN = new Mechanism.Gaussian(2);
  private static final Mechanism LAPLACE = new Mechanism.Laplace(2);
  private static final Mechanism.Exponential CHOICE = new Mechanism.Exponential(1);
  private static final int CANDIDATES = 1 << 16;

  /** Fine enough that no two draws of noise have the same size by chance. */
  private static final int FINE = -31;

  private static Sum sum() {
    return new Sum(new long[SIZE], FINE, new int[] {SIZE}, new double[] {1});
  }

  private static GridVector vector() {
    return new GridVector(new long[SIZE], FINE, Norm.L1, 1);
  }

  private static Journal journal() {
    return Journal.inMemory(Neighbouring.ZERO_OUT);
  }

  /** Under which a step adds the same noise as {@link #GAUSSIAN}. */
  private static ResolvedPlan plan(Sampling sampling) {
    return PrivacyPlan.noise(2)
        .sampling(sampling)
        .neighbouring(Neighbouring.ZERO_OUT)
        .lotSize(25)
        .steps(40)
        .clip(1)
        .build()
        .forUnits(100);
  }

  private static int[] choices(PrivacySession session, int count) {
    Scores equal = Scores.of(new long[CANDIDATES], 1);
    return IntStream.range(0, count).map(i -> session.choose(CHOICE, id -> equal)).toArray();
  }

  private static long[] step(PrivacySession session, ResolvedPlan plan, long step) {
    return session.release(plan, step, id -> sum()).integers();
  }

  // ---- two secure sessions

  /** All ways to a session with secret keys; the last three have one source of keys. */
  private static List<PrivacySession> secureSessions() {
    Randomness shared = Randomness.secure();
    return List.of(
        PrivacySession.open(Neighbouring.ZERO_OUT),
        PrivacySession.open(Neighbouring.ZERO_OUT),
        PrivacySession.open(journal(), shared),
        PrivacySession.open(journal(), shared, Budget.unlimited()),
        PrivacySession.nonPrivate(journal(), shared));
  }

  @Test
  @Tag("statistical")
  void secureSessionsHaveNothingInCommon() {
    ResolvedPlan plan = plan(Sampling.POISSON);
    Map<String, long[]> noise = new TreeMap<>();
    List<int[]> choices = new ArrayList<>();
    List<int[]> lots = new ArrayList<>();
    for (PrivacySession session : secureSessions()) {
      try (session) {
        int number = lots.size();
        noise.put("Gaussian of session " + number, session.release(GAUSSIAN, sum()).integers());
        noise.put("Laplace of session " + number, session.release(LAPLACE, vector()).integers());
        noise.put("step of session " + number, step(session, plan, 2));
        choices.add(choices(session, 40));
        lots.add(new Sampler.Poisson(0.5, SIZE).lot(session.samplingKey(), 0, Units.each(SIZE)));
      }
    }
    UnrelatedNoise.check(noise);
    UnrelatedNoise.checkChoices(choices);
    assertEquals(5, new HashSet<>(lots.stream().map(Arrays::toString).toList()).size());
  }

  /** A key of few bits, or one made of the time, would soon come again. */
  @Test
  @Tag("statistical")
  void fourThousandSecureSessionsNeverRepeatAKey() {
    Set<List<Long>> seen = new HashSet<>();
    for (int i = 0; i < 4_000; i++) {
      try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
        Sum four = new Sum(new long[4], FINE, new int[] {4}, new double[] {1});
        assertTrue(seen.add(list(session.release(GAUSSIAN, four).integers())), "noise again");
        long[] unit = session.samplingKey().choices(0, Units.each(2), new int[] {0, 1});
        assertTrue(seen.add(list(unit)), "lots again");
      }
      long dice = Randomness.secure().dice("purpose").below(1L << 62);
      assertTrue(seen.add(List.of(dice)), "dice again");
    }
  }

  private static List<Long> list(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  /** Prints the noise of the first session of a process. */
  static final class FirstSession {
    public static void main(String[] args) {
      try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
        System.out.println(Arrays.toString(session.release(GAUSSIAN, sum()).integers()));
        System.out.println(Arrays.toString(session.release(LAPLACE, vector()).integers()));
      }
    }
  }

  @Test
  @Tag("statistical")
  void theFirstSessionsOfTwoProcessesHaveNothingInCommon(@TempDir Path folder)
      throws IOException, InterruptedException {
    Map<String, long[]> noise = new TreeMap<>();
    for (String process : List.of("first", "second")) {
      Process run =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--add-modules",
                  "jdk.incubator.vector",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FirstSession.class.getName())
              .redirectError(folder.resolve("errors").toFile())
              .start();
      List<String> lines = run.inputReader().lines().toList();
      assertEquals(0, run.waitFor());
      noise.put(process + ", Gaussian", parse(lines.get(0)));
      noise.put(process + ", Laplace", parse(lines.get(1)));
    }
    UnrelatedNoise.check(noise);
  }

  private static long[] parse(String line) {
    return Stream.of(line.substring(1, line.length() - 1).split(", "))
        .mapToLong(Long::parseLong)
        .toArray();
  }

  /** The next session on a journal is as foreign to the first as any other. */
  @Test
  @Tag("statistical")
  void aSessionThatGoesOnWithAJournalHasKeysOfItsOwn(@TempDir Path folder) {
    Map<String, long[]> noise = new TreeMap<>();
    List<Long> ids = new ArrayList<>();
    List<int[]> lots = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      Journal journal = Journal.file(folder.resolve("journal"), Neighbouring.ZERO_OUT);
      try (PrivacySession session = PrivacySession.open(journal, Randomness.secure())) {
        NoisyValue plain = session.release(GAUSSIAN, sum());
        NoisyValue step = session.release(plan(Sampling.POISSON), 0, id -> sum());
        ids.addAll(List.of(plain.release(), step.release()));
        noise.put("plain of session " + number, plain.integers());
        noise.put("step of session " + number, step.integers());
        lots.add(new Sampler.Poisson(0.5, SIZE).lot(session.samplingKey(), 0, Units.each(SIZE)));
      }
    }
    UnrelatedNoise.check(noise);
    assertEquals(ids.stream().sorted().distinct().toList(), ids, "ids rise");
    assertEquals(3, new HashSet<>(lots.stream().map(Arrays::toString).toList()).size());
  }

  // ---- one session, all doors

  /**
   * Plain releases of both laws and steps of plans, taking turns: each kind comes first once, a
   * step is taken twice, steps go backwards, a second plan has steps of the same numbers.
   */
  private static Map<String, long[]> mixed(
      PrivacySession session, Sampling sampling, String order) {
    ResolvedPlan plan = plan(sampling);
    ResolvedPlan other = plan(sampling == Sampling.POISSON ? Sampling.FIXED_SIZE : sampling);
    long[] room = new long[SIZE];
    Map<String, long[]> noise = new LinkedHashMap<>();
    for (int i = 0; i < order.length(); i++) {
      char kind = order.charAt(i);
      String name = "release " + i + ", " + kind;
      long[] integers =
          switch (kind) {
            case 'G' -> session.release(GAUSSIAN, sum()).integers();
            case 'S' ->
                session
                    .release(new Mechanism.PoissonSampled(0.1, GAUSSIAN), id -> sum())
                    .integers();
            case 'L' -> session.release(LAPLACE, vector()).integers();
            case 'o' -> step(session, other, 0);
            default -> session.release(plan, kind - '0', id -> sum(), room).integers().clone();
          };
      noise.put(name, integers);
    }
    return noise;
  }

  @ParameterizedTest
  @ValueSource(strings = {"GL01233GSo", "0123GLGS4o", "32G100L1o"})
  @Tag("statistical")
  void releasesOfOneSessionAreUnrelated(String order) {
    for (Sampling sampling : List.of(Sampling.POISSON, Sampling.SHUFFLED_EPOCHS)) {
      try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
        UnrelatedNoise.check(mixed(session, sampling, order));
      }
    }
  }

  /** Exactly: with one seed, the noise of an id is the same by every door that adds its law. */
  @ParameterizedTest
  @ValueSource(strings = {"GG01233GSo", "0123GGGS4o", "32G100S1o"})
  void noiseIsAFunctionOfTheReleaseIdAlone(String order) {
    for (Sampling sampling : List.of(Sampling.POISSON, Sampling.SHUFFLED_EPOCHS)) {
      List<long[]> plain = new ArrayList<>();
      try (PrivacySession session = PrivacySession.open(journal(), Randomness.insecure(3))) {
        IntStream.range(0, 60).forEach(i -> plain.add(session.release(GAUSSIAN, sum()).integers()));
      }
      Set<Long> ids = new HashSet<>();
      try (PrivacySession session = PrivacySession.open(journal(), Randomness.insecure(3))) {
        for (long[] noise : mixed(session, sampling, order).values()) {
          long id =
              IntStream.range(0, plain.size())
                  .filter(i -> Arrays.equals(plain.get(i), noise))
                  .findFirst()
                  .orElseThrow(() -> new AssertionError("noise of no id"));
          assertTrue(ids.add(id), "noise of release id " + id + " twice");
        }
      }
    }
  }

  /** What a release that failed would have had must not be on another value either. */
  @Test
  void theIdOfAFailedReleaseIsNotUsedAgain() {
    ResolvedPlan plan = plan(Sampling.POISSON);
    List<Long> asked = new ArrayList<>();
    try (PrivacySession whole = PrivacySession.open(journal(), Randomness.insecure(3));
        PrivacySession broken = PrivacySession.open(journal(), Randomness.insecure(3))) {
      for (int i = 0; i < 12; i++) {
        long[] noise = whole.release(GAUSSIAN, sum()).integers();
        int turn = i;
        if (i % 3 == 2) {
          assertArrayEquals(noise, step(broken, plan, 0), "after two that failed");
        } else if (i % 2 == 0) {
          assertThrows(
              ArithmeticException.class,
              () -> broken.release(plan, turn % 4, id -> failed(asked, id)));
        } else {
          assertThrows(
              ArithmeticException.class, () -> broken.release(GAUSSIAN, id -> failed(asked, id)));
        }
      }
    }
    assertEquals(List.of(0L, 1L, 3L, 4L, 6L, 7L, 9L, 10L), asked);
  }

  private static Sum failed(List<Long> asked, long id) {
    asked.add(id);
    throw new ArithmeticException("of this test");
  }

  @Test
  @Tag("statistical")
  void releasesOfManyThreadsAreUnrelated() {
    ResolvedPlan plan = plan(Sampling.POISSON);
    Map<String, long[]> noise = new ConcurrentHashMap<>();
    try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
      IntStream.range(0, 12)
          .parallel()
          .forEach(
              i ->
                  noise.put(
                      "thread " + i,
                      switch (i % 3) {
                        case 0 -> session.release(GAUSSIAN, sum()).integers();
                        case 1 -> session.release(LAPLACE, vector()).integers();
                        default -> step(session, plan, 0);
                      }));
    }
    assertEquals(12, noise.size());
    UnrelatedNoise.check(noise);
  }

  /** The groups of one value, and its blocks, are as little related as two releases. */
  @Test
  @Tag("statistical")
  void groupsAndBlocksOfOneReleaseAreUnrelated() {
    int[] ends = IntStream.rangeClosed(1, 12).map(g -> g * SIZE).toArray();
    double[] sensitivities = new double[12];
    List<Double> multipliers = new ArrayList<>();
    for (int g = 0; g < 12; g++) {
      sensitivities[g] = 1 + g % 3;
      multipliers.add(2.0 + g % 2);
    }
    try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
      Sum groups = new Sum(new long[12 * SIZE], FINE, ends, sensitivities);
      UnrelatedNoise.check(
          parts(session.release(new Mechanism.JointGaussian(multipliers), groups).integers()));
      GridVector vector = new GridVector(new long[12 * SIZE], FINE, Norm.L1, 1);
      UnrelatedNoise.check(parts(session.release(LAPLACE, vector).integers()));
    }
  }

  private static Map<String, long[]> parts(long[] noise) {
    Map<String, long[]> parts = new TreeMap<>();
    for (int from = 0; from < noise.length; from += SIZE) {
      parts.put("from " + from, Arrays.copyOfRange(noise, from, from + SIZE));
    }
    return parts;
  }

  /** The bits that draw the lots and those of the noise are not the same ones. */
  @Test
  @Tag("statistical")
  void noiseTellsNothingOfTheLots() {
    int releases = 4000;
    int first = 6;
    int[][] bits = new int[releases][first];
    int[][] noise = new int[releases][first];
    try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
      Sampler half = new Sampler.Poisson(0.5, first);
      for (int r = 0; r < releases; r++) {
        Sum few = new Sum(new long[first], FINE, new int[] {first}, new double[] {1});
        NoisyValue released = session.release(GAUSSIAN, few);
        for (int unit : half.lot(session.samplingKey(), released.release(), Units.each(first))) {
          bits[r][unit] = 1;
        }
        for (int i = 0; i < first; i++) {
          double z = Math.scalb((double) released.integers()[i], FINE) / 2;
          noise[r][i] = z < -0.6745 ? 0 : z < 0 ? 1 : z < 0.6745 ? 2 : 3;
        }
      }
    }
    assertUnrelated(bits, noise);
    // A unit's bit that decides the sign of a coordinate is seen, also where only at times.
    SplittableRandom random = new SplittableRandom(1);
    for (int r = 0; r < releases; r++) {
      noise[r][2] = random.nextInt(3) == 0 ? 3 * bits[r][4] : random.nextInt(4);
    }
    assertThrows(AssertionError.class, () -> assertUnrelated(bits, noise));
  }

  private static void assertUnrelated(int[][] bits, int[][] noise) {
    for (int unit = 0; unit < bits[0].length; unit++) {
      for (int i = 0; i < noise[0].length; i++) {
        double statistic = 0;
        for (int cell = 0; cell < 4; cell++) {
          int in = 0;
          int all = 0;
          for (int r = 0; r < bits.length; r++) {
            if (noise[r][i] == cell) {
              all++;
              in += bits[r][unit];
            }
          }
          statistic += (in - 0.5 * all) * (in - 0.5 * all) / (0.25 * all);
        }
        Alarm.chiSquared("unit " + unit + ", coordinate " + i, statistic, 4);
      }
    }
  }

  // ---- these tests can fail

  @Test
  @Tag("statistical")
  void relatedNoiseIsSeen() {
    try (PrivacySession session = PrivacySession.open(Neighbouring.ZERO_OUT)) {
      long[] one = session.release(GAUSSIAN, sum()).integers();
      long[] other = session.release(GAUSSIAN, sum()).integers();
      UnrelatedNoise.check(Map.of("one", one, "other", other));
      seen(one, one.clone());
      seen(one, moved(one, x -> -x));
      seen(one, moved(one, x -> x / 3 + 77));
      long[] shifted = new long[SIZE];
      Arrays.setAll(shifted, i -> one[(i + 389) % SIZE] / 2);
      seen(one, shifted);
      SplittableRandom random = new SplittableRandom(1);
      seen(one, moved(one, x -> random.nextBoolean() ? x : -x));
      seen(one, moved(one, x -> random.nextBoolean() ? x / 2 : -x / 2));
      // A few coordinates, and a part of the noise.
      long[] few = other.clone();
      System.arraycopy(one, 500, few, 20, 3);
      seen(one, few);
      long[] part = new long[SIZE];
      Arrays.setAll(part, i -> one[i] + other[i]);
      seen(one, part);
      int[] same = choices(session, 40);
      assertThrows(
          AssertionError.class, () -> UnrelatedNoise.checkChoices(List.of(same, same.clone())));
    }
  }

  private static long[] moved(long[] noise, LongUnaryOperator how) {
    return Arrays.stream(noise).map(how).toArray();
  }

  private static void seen(long[] one, long[] other) {
    assertThrows(
        AssertionError.class, () -> UnrelatedNoise.check(Map.of("one", one, "other", other)));
  }
}
