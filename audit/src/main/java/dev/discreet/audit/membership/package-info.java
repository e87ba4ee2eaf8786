/**
 * Who was in the data? Attacks on a trained model: by a threshold of the loss, and by likelihood
 * ratios that shadow models give.
 *
 * <p><b>The game.</b> For each player, who is one unit of the data, a fair coin decides whether the
 * target model is trained with it. The attacker has the model, all rows, and the recipe, but not
 * the coins, and gives each player a score. What it finds out is a lower bound on what the model
 * gives away. A weak attack proves nothing: another one may do better.
 *
 * <p>All of this is computed from private rows as they are, without noise. It is for the operator,
 * and no class here writes into a run's folder. Shadow models are kept nowhere, only their scores.
 */
package dev.discreet.audit.membership;
