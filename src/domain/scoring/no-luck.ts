/** Why a call cannot be compared with luck. */
export const NO_LUCK = [
  /** the judge does not count it: it was true or broken already, or an administrator said so */
  'void',
  /** the price on the day it was made is not known, or not yet */
  'no-reference',
  /** fewer than 90 daily returns before it was made */
  'little-history',
  /** its window has no trading day */
  'no-day',
] as const
export type NoLuck = (typeof NO_LUCK)[number]
