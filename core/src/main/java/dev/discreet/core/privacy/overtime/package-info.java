/**
 * The matrices of noise that steps share: found, and what they cost. No noise is drawn here and no
 * value is looked at.
 */
package dev.discreet.core.privacy.overtime;
