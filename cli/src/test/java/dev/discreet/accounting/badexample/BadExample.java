package dev.discreet.accounting.badexample;

import dev.discreet.core.privacy.journal.Journal;
import java.security.SecureRandom;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;

/**
 * Classes that break the rules of the rooms, one each, so that {@code RoomRulesTest} can show that
 * its rules bite. They lie in the tests and are read by that test only.
 */
public final class BadExample {

  private BadExample() {}

  /** An accountant that calls the command line. */
  static final class UsesAnotherRoom {
    Class<?> other() {
      return dev.discreet.cli.Main.class;
    }
  }

  /** A command outside {@code cli}. */
  @Command
  static final class UsesPicocli {}

  /** Accounting that throws dice. */
  static final class UsesRandom {
    double next() {
      return new Random(1).nextDouble();
    }
  }

  /** The same, through the method that hides the generator. */
  static final class UsesMathRandom {
    double next() {
      return Math.random();
    }
  }

  /** The same, with a generator that is fit for noise, which still has no place in accounting. */
  static final class UsesSecureRandom {
    double next() {
      return new SecureRandom().nextDouble();
    }
  }

  /** The same, with the generator of the thread. */
  static final class UsesThreadLocalRandom {
    double next() {
      return ThreadLocalRandom.current().nextDouble();
    }
  }

  /** A library class that talks over the user's results. */
  static final class PrintsToStandardOut {
    void print() {
      System.out.println("here I am");
    }
  }

  /** A class that can compute on this machine's cores only. */
  static final class UsesTheCpuEngine {
    Class<?> engine() {
      return dev.discreet.core.engine.cpu.Cpu.class;
    }
  }

  /** A class that looks for the noise of a run a second time. */
  static final class ResolvesAPlan {
    Object resolved(dev.discreet.core.privacy.PrivacyPlan plan) {
      return plan.forUnits(100);
    }
  }

  /** State that two sessions would share. */
  static final class HasMutableStatic {
    static int count = 0;
  }

  /** A class that makes random numbers of its own, out of the session's sight. */
  static final class DrawsFromAKeyStream {
    Class<?> stream() {
      return dev.discreet.core.privacy.draws.KeyStream.class;
    }
  }

  static final class ChargesAJournal {
    void take(Journal journal) {
      journal.use(journal.nextId());
    }
  }
}
