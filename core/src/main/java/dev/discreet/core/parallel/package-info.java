/**
 * Threads that do one thing together, and work on long arrays that they share. What is computed
 * does not depend on how many there are. Nothing that knows what the numbers mean belongs here.
 */
package dev.discreet.core.parallel;
