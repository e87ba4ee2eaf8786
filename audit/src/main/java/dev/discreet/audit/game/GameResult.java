package dev.discreet.audit.game;

import dev.discreet.accounting.Neighbouring;

/**
 * What a game found.
 *
 * @param name of the game
 * @param pair in what the two inputs differ
 * @param neighbouring the relation that the claim is about
 * @param trials plays of each side
 * @param epsilon what the ledger claims
 * @param delta the δ of the claim
 * @param epsilonLower what the guesses prove at that δ, assuming nothing
 * @param gaussianLower what they prove of a mechanism that is Gaussian; NaN for others
 * @param look what the attacker looked at to prove most, or to refute the claim
 * @param errorRate the chance that a bound is too large, or an honest claim called violated
 * @param violated whether the claimed trade-off curve is refuted
 */
public record GameResult(
    String name,
    String pair,
    Neighbouring neighbouring,
    int trials,
    double epsilon,
    double delta,
    double epsilonLower,
    double gaussianLower,
    String look,
    double errorRate,
    boolean violated) {}
