/**
 * Where examples come from: formats, named sets, generators, bounds and scaling. Scaling uses
 * public figures only; nothing here looks at values to choose them.
 */
package dev.discreet.data;
