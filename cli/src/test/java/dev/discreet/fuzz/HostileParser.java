package dev.discreet.fuzz;

import java.nio.file.Path;
import java.util.SplittableRandom;

/** One of our readers, with what it is given. */
interface HostileParser {
  /** In one word. */
  String name();

  /** Valid files that our own writers made, changed in some ways; the same for the same numbers. */
  HostileFiles next(SplittableRandom random);

  /**
   * Reads the files, and where they are accepted checks that what was read is written and read as
   * the same.
   *
   * @param folder holds the files
   * @throws Exception only what the reader declares
   */
  void read(Path folder, HostileFiles files) throws Exception;

  /** Whether it reads files from disk, rather than texts. */
  default boolean onDisk() {
    return true;
  }

  /** What is checked about an exception beyond its kind: a message must not tell of a row. */
  default void checkMessage(HostileFiles files, String message) {}

  interface Maker {
    HostileFiles make(SplittableRandom random);
  }

  interface Reading {
    void read(Path folder, HostileFiles files) throws Exception;
  }

  /** A reader of files. */
  static HostileParser ofFiles(String name, Maker maker, Reading reading) {
    return new Simple(name, maker, reading, true);
  }

  /** A reader of texts. */
  static HostileParser ofText(String name, Maker maker, Reading reading) {
    return new Simple(name, maker, reading, false);
  }

  record Simple(String name, Maker maker, Reading reading, boolean onDisk)
      implements HostileParser {
    @Override
    public HostileFiles next(SplittableRandom random) {
      return maker.make(random);
    }

    @Override
    public void read(Path folder, HostileFiles files) throws Exception {
      reading.read(folder, files);
    }
  }
}
