import { type AssetKey } from '#domain/asset.ts'
import { addDays, isoDay, readDay, type Day } from '#domain/day.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { PAST_PARAM, readPastDay } from './paths.ts'

export const TODAY_PATH = '/today'

export const TODAY_KINDS = [
  'call',
  'verdict',
  'correction',
  'reply',
  'deadline',
  'closest',
] as const
export type TodayKind = (typeof TODAY_KINDS)[number]

export type NowCall = {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** `Bitcoin at $150,000 by 31/12/2026` */
  readonly text: string
  readonly outcome: Outcome
  /** A date or the remaining distance: `01/10/2026`, `37 days left, +38% to go`. */
  readonly note: string
}

export type TodayItem = NowCall & {
  readonly kind: TodayKind
  readonly asset: AssetKey
  /** ISO: when it happened, the deadline, or the day of the close that the distance is measured from. */
  readonly at: string
  /** The event's or reply's; null for upcoming entries and on past days. */
  readonly number: string | null
  readonly detail: string | null
  /** The distance to the level in daily moves of the asset; null if that is not known. */
  readonly moves: number | null
}

/** Query parameters; null if absent. */
export type TodayView = { readonly since: Day | null; readonly day: Day | null }

/** Days as 2026-11-28. */
export type Today = {
  /** The first day whose events are listed. */
  readonly since: string
  readonly today: string
  /** The past day it is as of; null for now. */
  readonly past: string | null
  /** Within each kind, newest, nearest or closest first. */
  readonly items: readonly TodayItem[]
  readonly more: readonly TodayKind[]
}

export const TODAY_ADDRESS = {
  read: (param: (name: string) => string | null): TodayView => ({
    since: readPastDay(param('since')),
    day: readPastDay(param(PAST_PARAM)),
  }),
  write: ({ since, day }: TodayView): Readonly<Record<string, string>> => ({
    ...(since !== null && { since: isoDay(since) }),
    ...(day !== null && { [PAST_PARAM]: isoDay(day) }),
  }),
}

export function todayAddress(view: TodayView): string {
  const query = Object.entries(TODAY_ADDRESS.write(view)).map(([name, day]) => `${name}=${day}`)
  return query.length === 0 ? TODAY_PATH : `${TODAY_PATH}?${query.join('&')}`
}

/** The first day whose events are listed; by default, the previous day. */
export function sinceOf({ since }: Pick<TodayView, 'since'>, today: Day): Day {
  return since !== null && since <= today ? since : addDays(today, -1)
}

/** The first day to list for a device last seen on `visit`; null for yesterday. */
export function sinceVisit(visit: string, today: Day): Day | null {
  const day = readDay(visit)
  return day !== null && day < addDays(today, -1) ? day : null
}
