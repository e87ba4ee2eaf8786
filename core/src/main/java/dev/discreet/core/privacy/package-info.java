/**
 * What makes a step private: the plan, the sampler, clipping rules, the grid, the noise and the
 * session that is the only door for results. Everything that the guarantee depends on is here or
 * comes from here; nothing here knows networks or data.
 *
 * <p>{@link dev.discreet.core.privacy.PrivacyPlan} says what a run is to be, {@link
 * dev.discreet.core.privacy.ResolvedPlan} what it is; {@link
 * dev.discreet.core.privacy.PrivacySession} releases its steps and keeps the ledger in a {@link
 * dev.discreet.core.privacy.journal.Journal}. Noise is made by a class that only this package sees,
 * and only the session calls.
 */
package dev.discreet.core.privacy;
