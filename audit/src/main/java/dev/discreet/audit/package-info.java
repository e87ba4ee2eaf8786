/**
 * Attacks that try to prove the guarantee wrong.
 *
 * <p>An audit plays the game that differential privacy is defined by: is this output from the data
 * with a certain person, or from the data without? The better anyone guesses, the larger ε must be,
 * so guesses give a <em>lower</em> bound on ε at a stated confidence. A lower bound above the
 * certified ε means a bug.
 *
 * <p>An audit looks from outside. It uses runs, sessions and mechanisms as a user would, and none
 * of their figures: what it checks must not come from what it checks. What an audit of private rows
 * finds out is itself outside the guarantee, and is labelled so.
 */
package dev.discreet.audit;
