/**
 * What makes a step private: the plan, the sampler, clipping rules, the grid, the noise and the
 * session that is the only door for results. Everything that the guarantee depends on is here or
 * comes from here; nothing here knows networks or data.
 */
package dev.discreet.core.privacy;
