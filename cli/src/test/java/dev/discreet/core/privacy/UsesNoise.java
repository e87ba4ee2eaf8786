package dev.discreet.core.privacy;

/** Noise that no ledger knows of, so that {@code RoomRulesTest} can show that its rule bites. */
final class UsesNoise {
  Noise taken = Randomness.secure().noise();
}
