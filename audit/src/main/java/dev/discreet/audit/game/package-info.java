/**
 * The game by which differential privacy is defined, played against what the library really
 * returns. A game fixes two neighbouring inputs, runs the public code on each many times with
 * secret keys, and lets an attacker guess from an output which input it came from. The attacker
 * knows everything but the one person.
 *
 * <p>What a game looks at is learned from outputs. No figure of the code that is checked enters: no
 * sensitivity, no noise scale, no clipping threshold; only the claim itself, which is the ledger
 * that the session wrote.
 */
package dev.discreet.audit.game;
