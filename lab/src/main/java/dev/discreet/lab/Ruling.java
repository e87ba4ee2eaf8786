package dev.discreet.lab;

import java.util.List;
import java.util.Locale;

/** How a claim fared. */
public enum Ruling {
  CONFIRMED,
  REFUTED,
  INCONCLUSIVE;

  public static Ruling of(boolean confirmed) {
    return confirmed ? CONFIRMED : REFUTED;
  }

  /** The first word of a sentence. */
  public Verdict capitalised() {
    return new Verdict(name().charAt(0) + toString().substring(1), List.of(this));
  }

  /** As pages have it: {@code confirmed}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
