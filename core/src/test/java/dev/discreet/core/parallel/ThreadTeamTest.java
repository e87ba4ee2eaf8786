package dev.discreet.core.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadTeamTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 65})
  void everyMemberDoesItsPartOnceEachTime(int size) throws InterruptedException {
    try (ThreadTeam team = new ThreadTeam(size)) {
      AtomicIntegerArray done = new AtomicIntegerArray(size);
      int[] expected = new int[size];
      for (int round = 0; round < 300; round++) {
        int members = 1 + round * 7 % size;
        team.run(members, done::incrementAndGet);
        for (int i = 0; i < members; i++) {
          expected[i]++;
        }
        for (int i = 0; i < size; i++) {
          assertEquals(expected[i], done.get(i), "member " + i + " in round " + round);
        }
        if (round % 100 == 50) {
          // Long enough that all fall asleep.
          Thread.sleep(2);
        }
      }
    }
  }

  @Test
  void whatTheOthersWroteIsSeen() {
    try (ThreadTeam team = new ThreadTeam(4)) {
      int[] plain = new int[4 * 64];
      for (int round = 1; round <= 20_000; round++) {
        int value = round;
        team.run(number -> plain[64 * number] = value);
        for (int i = 0; i < 4; i++) {
          assertEquals(value, plain[64 * i]);
        }
      }
    }
  }

  @Test
  void aFailureOfAnyoneIsThrownWhenAllAreDone() {
    try (ThreadTeam team = new ThreadTeam(4)) {
      for (int failing = 0; failing < 4; failing++) {
        int who = failing;
        boolean[] done = new boolean[4];
        assertEquals(
            "of " + who,
            assertThrows(
                    IllegalStateException.class,
                    () ->
                        team.run(
                            number -> {
                              if (number == who) {
                                throw new IllegalStateException("of " + number);
                              }
                              sleep(5);
                              done[number] = true;
                            }))
                .getMessage());
        boolean[] others = new boolean[4];
        Arrays.fill(others, true);
        others[who] = false;
        assertArrayEquals(others, done);
        assertThrows(
            StackOverflowError.class,
            () ->
                team.run(
                    number -> {
                      if (number == who) {
                        throw new StackOverflowError();
                      }
                    }));
      }
      boolean[] done = new boolean[4];
      team.run(number -> done[number] = true);
      assertArrayEquals(new boolean[] {true, true, true, true}, done);
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anInterruptedCallerWaitsAndStaysInterrupted() {
    try (ThreadTeam team = new ThreadTeam(2)) {
      boolean[] done = new boolean[1];
      Thread.currentThread().interrupt();
      team.run(
          number -> {
            if (number == 1) {
              sleep(20);
              done[0] = true;
            }
          });
      assertTrue(Thread.interrupted());
      assertTrue(done[0]);
    }
  }

  @Test
  void theThreadsEndWithTheTeam() throws InterruptedException {
    Thread[] threads = new Thread[3];
    try (ThreadTeam team = new ThreadTeam(3)) {
      team.run(number -> threads[number] = Thread.currentThread());
      assertSame(Thread.currentThread(), threads[0]);
    }
    threads[1].join(60_000);
    threads[2].join(60_000);
    assertTrue(!threads[1].isAlive() && !threads[2].isAlive());
  }

  @Test
  void aThreadHasOneTeamAtATime() {
    assertNull(ThreadTeam.idle());
    try (ThreadTeam outer = ThreadTeam.forThisThread(2)) {
      assertSame(outer, ThreadTeam.idle());
      ThreadTeam shared = ThreadTeam.of(2);
      assertSame(outer, shared);
      shared.close();
      try (ThreadTeam other = ThreadTeam.of(3)) {
        assertNotSame(outer, other);
      }
      try (ThreadTeam inner = ThreadTeam.forThisThread(2)) {
        assertSame(inner, ThreadTeam.idle());
      }
      assertSame(outer, ThreadTeam.idle());
      // Its own work may use blocks too: then there is no one left to share them with.
      outer.run(number -> assertNull(number == 0 ? ThreadTeam.idle() : null));
    }
    assertNull(ThreadTeam.idle());
  }

  @Test
  void aTeamThatAnotherThreadClosedIsNoMoreOfThisThread() throws InterruptedException {
    ThreadTeam held;
    try (ThreadTeam team = ThreadTeam.forThisThread(2)) {
      held = ThreadTeam.of(2);
      assertSame(team, held);
    }
    Thread other = new Thread(held::close);
    other.start();
    other.join();
    assertNull(ThreadTeam.idle());
    try (ThreadTeam team = ThreadTeam.of(2)) {
      assertNotSame(held, team);
    }
    int[] times = new int[100_000];
    ParallelBlocks.each(0, times.length, (from, to) -> Arrays.fill(times, from, to, 1));
    assertEquals(times.length, Arrays.stream(times).sum());
  }

  @Test
  void blocksAreTheSameOnAnyTeam() {
    int length = 100_000;
    double[] values = new double[length];
    Arrays.setAll(values, i -> Math.sin(i));
    ParallelBlocks.Term term =
        (from, to) -> {
          double sum = 0;
          for (int i = from; i < to; i++) {
            sum += values[i];
          }
          return sum;
        };
    double expected = ParallelBlocks.sum(3, length, term);
    for (int size : new int[] {1, 2, 5, 16}) {
      try (ThreadTeam team = ThreadTeam.forThisThread(size)) {
        assertEquals(expected, ParallelBlocks.sum(3, length, term));
        int[] times = new int[length];
        ParallelBlocks.each(
            3,
            length,
            (from, to) -> {
              for (int i = from; i < to; i++) {
                times[i]++;
              }
            });
        assertEquals(length - 3, Arrays.stream(times).sum());
        assertEquals(0, times[2]);
        assertEquals(1, times[length - 1]);
      }
    }
  }

  /** Neither the caller's thread nor another one may hand it work before the last is done. */
  @Test
  void aTeamThatWorksRefusesMoreWork() {
    try (ThreadTeam team = new ThreadTeam(3)) {
      AtomicIntegerArray done = new AtomicIntegerArray(3);
      team.run(
          number -> {
            assertEquals(
                "a team was asked to work while it works",
                assertThrows(IllegalStateException.class, () -> team.run(other -> {}))
                    .getMessage());
            done.incrementAndGet(number);
          });
      assertEquals("[1, 1, 1]", done.toString());
    }
  }

  /** Or what the caller then does with an array could be undone by a block that is late. */
  @Test
  void noBlockWorksOnWhenTheFailureOfOneIsThrown() {
    AtomicIntegerArray done = new AtomicIntegerArray(64);
    assertThrows(
        IllegalStateException.class,
        () ->
            ParallelBlocks.each(
                64,
                block -> {
                  if (block % 16 == 0) {
                    throw new IllegalStateException("of " + block);
                  }
                  sleep(2);
                  done.incrementAndGet(block);
                }));
    for (int block = 0; block < 64; block++) {
      assertEquals(block % 16 == 0 ? 0 : 1, done.get(block), "block " + block);
    }
  }

  @Test
  void sizesMustBeInRange() {
    assertEquals(
        "threads must be in [1, 1024]. Provided value: 0",
        assertThrows(IllegalArgumentException.class, () -> new ThreadTeam(0)).getMessage());
    try (ThreadTeam team = new ThreadTeam(2)) {
      assertEquals(
          "members must be in [1, 2]. Provided value: 3",
          assertThrows(IllegalArgumentException.class, () -> team.run(3, number -> {}))
              .getMessage());
    }
  }
}
