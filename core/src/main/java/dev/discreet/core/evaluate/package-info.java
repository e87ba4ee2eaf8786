/**
 * How well parameters predict: on examples that are declared public as they are, and on people's
 * held-out rows as one noised release.
 */
package dev.discreet.core.evaluate;
