import { type Motion } from './touch.ts'
import { type Day } from '#domain/day.ts'

export const NO_LUCK = [
  /** the judge does not count it: it was true or broken already, or an administrator said so */
  'void',
  /** the price on the day it was made is not known, or not yet */
  'no-reference',
  'little-history',
  'no-day',
  'too-long',
] as const
export type NoLuck = (typeof NO_LUCK)[number]

export type Odds = {
  /** The chance of a hit when it was made; null where `noLuck` says why. */
  readonly luck: number | null
  readonly noLuck: NoLuck | null
  /** Volatility and drift a year, as known when it was made; null where they are not known. */
  readonly motion: Motion | null
  /** The remaining distance; null unless it is open with known prices. */
  readonly left: WayToGo | null
}

/** How far an open call is from coming true, as of the last close. */
export type WayToGo = {
  /** The last close, and its price in USD. */
  readonly day: Day
  readonly usd: number
  /**
   * By what share the price has to change to reach the level: 0.38 is up by 38%. 0 is there already. Of a call that a
   * price will stay below or above a level: by how much it may change.
   */
  readonly change: number
  /** Days until the deadline. */
  readonly days: number
  /** The chance that it comes true from there; null with more than two years to go. */
  readonly chance: number | null
}
