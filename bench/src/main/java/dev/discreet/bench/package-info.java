/**
 * JMH benchmarks, one class per thing measured. Built only with {@code -Pbench} and never
 * published; what is measured here is written down with the machine it was measured on.
 */
package dev.discreet.bench;
