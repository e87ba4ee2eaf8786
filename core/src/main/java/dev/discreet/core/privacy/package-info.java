/**
 * What makes a step private: the plan, the sampler, clipping rules, the grid, the noise and the
 * session, which is the only door for results. Everything on which the guarantee depends is here or
 * comes from here. Nothing here knows networks or data.
 *
 * <p>{@link dev.discreet.core.privacy.PrivacyPlan} says what a run shall be, and {@link
 * dev.discreet.core.privacy.ResolvedPlan} what it is. {@link
 * dev.discreet.core.privacy.PrivacySession} releases its steps and keeps the ledger in a {@link
 * dev.discreet.core.privacy.journal.Journal}; a {@link dev.discreet.core.privacy.Budget} may refuse
 * them first. Noise is made by a class that only this package sees and only the session calls.
 */
package dev.discreet.core.privacy;
