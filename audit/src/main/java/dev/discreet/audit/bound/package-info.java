/**
 * What guesses prove: lower bounds on ε and μ, and the refutation of a claimed trade-off curve.
 *
 * <p>Every answer has a stated error rate: the chance, over the draws that made the scores, that it
 * says more than the truth. The draws with the person are independent of each other and of those
 * without, and each has its own law; nothing else is assumed unless a class says so. What made the
 * scores must not enter: a bound that knew the noise would repeat its mistakes.
 */
package dev.discreet.audit.bound;
