package dev.discreet.audit.game;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.BoundedValue;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.draws.Scores;
import dev.discreet.core.privacy.journal.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Games with the session itself: a value as far from its neighbour's as was declared. */
final class SessionGames {
  private static final int PLAYS = 64;
  private static final int EXPONENT = -10;

  // What everybody knows of the data: the sum of all the others.
  private static final long OTHERS = 123_457;

  private SessionGames() {}

  static List<MechanismGame> all() {
    List<MechanismGame> games = new ArrayList<>();
    for (Neighbouring relation : Neighbouring.values()) {
      String suffix = "-" + relation.label().replace("/", "-").toLowerCase(Locale.ROOT);
      double apart = relation == Neighbouring.REPLACE_ONE ? 2 : 1;
      String pair = words(relation);
      games.add(
          repeated(
              "gaussian" + suffix,
              "3 numbers, of which " + pair + " in 2",
              true,
              relation,
              (session, with) ->
                  shown(
                      session.release(
                          new Mechanism.Gaussian(apart),
                          vector(Norm.L2, 1000, with, relation, 600, 800, 0)))));
      games.add(
          repeated(
              "laplace" + suffix,
              "2 numbers, of which " + pair + " in 1",
              false,
              relation,
              (session, with) ->
                  shown(
                      session.release(
                          new Mechanism.Laplace(apart),
                          vector(Norm.L1, 1001, with, relation, 1001, 0)))));
    }
    games.add(gaussian("gaussian-one-step", "one grid step more in a number", 1));
    games.add(gaussian("gaussian-wide", "2^31 grid steps more in a number", 1L << 31));
    games.add(jointGaussian());
    games.add(choice());
    games.add(adaptive());
    games.add(resumed());
    return games;
  }

  private static String words(Neighbouring relation) {
    return switch (relation) {
      case ADD_REMOVE -> "the person adds C";
      case REPLACE_ONE -> "the person adds C or -C";
      case ZERO_OUT -> "the person adds C or nothing";
    };
  }

  /** One play in a session that has others too. */
  @FunctionalInterface
  interface OnePlay {
    Transcript play(PrivacySession session, boolean with);
  }

  /** A game whose plays are independent releases of one session. */
  static MechanismGame repeated(
      String name, String pair, boolean gaussian, Neighbouring relation, OnePlay play) {
    return new MechanismGame(
        name,
        pair,
        gaussian,
        1,
        with -> {
          try (PrivacySession session = PrivacySession.open(relation)) {
            List<Transcript> plays = new ArrayList<>();
            for (int i = 0; i < PLAYS; i++) {
              plays.add(play.play(session, with));
            }
            return new Plays(plays, session.ledger());
          }
        });
  }

  static Transcript shown(NoisyValue value) {
    return new Transcript(
        value.values(),
        value.release() + " " + value.exponent() + " " + Arrays.toString(value.sensitivities()));
  }

  /** The others, and what the person adds; the declared bound on one person is {@code most}. */
  private static GridVector vector(
      Norm norm, long most, boolean with, Neighbouring relation, long... adds) {
    long sign = with ? 1 : relation == Neighbouring.REPLACE_ONE ? -1 : 0;
    long[] integers = Arrays.stream(adds).map(each -> OTHERS + sign * each).toArray();
    return new GridVector(integers, EXPONENT, norm, Math.scalb((double) most, EXPONENT));
  }

  private static MechanismGame gaussian(String name, String pair, long most) {
    return repeated(
        name,
        pair,
        true,
        Neighbouring.ADD_REMOVE,
        (session, with) ->
            shown(
                session.release(
                    new Mechanism.Gaussian(1),
                    vector(Norm.L2, most, with, Neighbouring.ADD_REMOVE, most))));
  }

  private record TwoGroups(long[] integers) implements BoundedValue {
    @Override
    public int exponent() {
      return EXPONENT;
    }

    @Override
    public int[] groupEnds() {
      return new int[] {1, 3};
    }

    @Override
    public double[] sensitivities() {
      return new double[] {Math.scalb(500.0, EXPONENT), Math.scalb(2000.0, EXPONENT)};
    }
  }

  private static MechanismGame jointGaussian() {
    Mechanism mechanism = new Mechanism.JointGaussian(List.of(1.5, 1.3));
    return repeated(
        "joint-gaussian",
        "2 groups of numbers with bounds of their own; the person adds C in both",
        true,
        Neighbouring.ADD_REMOVE,
        (session, with) -> {
          long sign = with ? 1 : 0;
          return shown(
              session.release(
                  mechanism, new TwoGroups(new long[] {500 * sign, 1200 * sign, -1600 * sign})));
        });
  }

  private static MechanismGame choice() {
    Mechanism.Exponential mechanism = new Mechanism.Exponential(2);
    return repeated(
        "exponential-choice",
        "8 candidates; the person moves one up and the others down",
        false,
        Neighbouring.ADD_REMOVE,
        (session, with) -> {
          long[] scores = new long[8];
          Arrays.fill(scores, with ? -7 : 0);
          scores[3] = with ? 7 : 0;
          int chosen = session.choose(mechanism, id -> Scores.of(scores, 7));
          return new Transcript(new double[] {chosen == 3 ? 1 : 0}, "");
        });
  }

  /** Later questions are chosen by earlier answers, as DP-SGD does it. */
  private static MechanismGame adaptive() {
    Mechanism mechanism = new Mechanism.Gaussian(2);
    return repeated(
        "adaptive-releases",
        "3 releases of C or nothing, each in a direction that the last answer chose",
        true,
        Neighbouring.ADD_REMOVE,
        (session, with) -> {
          double[] along = new double[3];
          StringBuilder shape = new StringBuilder();
          long direction = 1;
          for (int i = 0; i < along.length; i++) {
            Transcript shown =
                shown(
                    session.release(
                        mechanism,
                        new GridVector(
                            new long[] {with ? direction * 1001 : 0},
                            EXPONENT,
                            Norm.L2,
                            Math.scalb(1001.0, EXPONENT))));
            along[i] = direction * shown.values()[0];
            shape.append(shown.shape());
            direction = shown.values()[0] > 0 ? -1 : 1;
          }
          return new Transcript(along, shape.toString());
        });
  }

  /**
   * A release that tells nothing of the person, and in a later session on the same journal one that
   * does. Keys or ids that come again would give the noise of the second away.
   */
  private static MechanismGame resumed() {
    return new MechanismGame(
        "resumed-session",
        "nothing in the first session; in the next, the person adds C",
        true,
        0.2,
        with ->
            inNewFile(
                file -> {
                  List<Transcript> first = new ArrayList<>();
                  session(file, false, first);
                  List<Transcript> second = new ArrayList<>();
                  Ledger ledger = session(file, with, second);
                  List<Transcript> plays = new ArrayList<>();
                  for (int i = 0; i < first.size(); i++) {
                    plays.add(first.get(i).then(second.get(i)));
                  }
                  return new Plays(plays, ledger);
                }));
  }

  private static Ledger session(Path file, boolean with, List<Transcript> to) {
    // The steps of a long plan are charged many at a time: a disk is slow.
    ResolvedPlan plan =
        PrivacyPlan.noise(Math.sqrt(2))
            .sampling(PrivacyPlan.Sampling.FULL_BATCH)
            .samplingRate(1)
            .steps(100 * PLAYS)
            .clip(1)
            .build()
            .forUnits(1);
    try (PrivacySession session =
        PrivacySession.open(Journal.file(file, Neighbouring.ADD_REMOVE), Randomness.secure())) {
      for (int i = 0; i < PLAYS; i++) {
        to.add(
            shown(
                session.release(
                    plan, i, id -> vector(Norm.L2, 1000, with, Neighbouring.ADD_REMOVE, 1000))));
      }
      return session.ledger();
    }
  }

  static <T> T inNewFile(Function<Path, T> use) {
    try {
      Path folder = Files.createTempDirectory("discreet-game");
      Path file = folder.resolve("journal.jsonl");
      try {
        return use.apply(file);
      } finally {
        try (var files = Files.list(folder)) {
          for (Path each : files.toList()) {
            Files.delete(each);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
