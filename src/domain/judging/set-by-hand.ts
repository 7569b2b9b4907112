import { type Outcome, type Verdict } from './verdict.ts'

/** A verdict by an administrator's word. The deciding bar stays only where the rule found the same. */
export function setByHand(byRule: Verdict, outcome: Outcome): Verdict {
  const isAlike = byRule.outcome === outcome
  return {
    ...byRule,
    outcome,
    reason: 'overridden',
    day: isAlike ? byRule.day : null,
    bar: isAlike ? byRule.bar : null,
    closeOnly: isAlike && byRule.closeOnly,
    someClosesOnly: isAlike && byRule.someClosesOnly,
    unconfirmed: null,
  }
}
