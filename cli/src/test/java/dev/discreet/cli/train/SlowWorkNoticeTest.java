package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class SlowWorkNoticeTest {
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  @Test
  void whatTakesLongIsSaidWhileItIsDone() throws InterruptedException {
    try (SlowWorkNotice planning = new SlowWorkNotice(lines::add, 0)) {
      // Each part ends only when its line was heard.
      assertEquals("reading ...", planning.part("reading", lines::take));
      assertEquals("timing ...", planning.part("timing", lines::take));
    }
  }

  @Test
  void whatIsQuickIsNot() throws IOException {
    try (SlowWorkNotice planning = new SlowWorkNotice(lines::add, Long.MAX_VALUE)) {
      assertEquals(3, planning.<Integer, IOException>part("reading", () -> 3));
      assertThrows(
          IOException.class,
          () ->
              planning.part(
                  "reading",
                  () -> {
                    throw new IOException();
                  }));
    }
    assertEquals(List.of(), List.copyOf(lines));
  }
}
