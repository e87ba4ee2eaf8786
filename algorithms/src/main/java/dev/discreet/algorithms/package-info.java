/**
 * Private learning that is not one network trained by SGD. Everything here computes bounded values
 * or scores and lets {@code PrivacySession} release them; no noise is made here, and no file is
 * read.
 */
package dev.discreet.algorithms;
