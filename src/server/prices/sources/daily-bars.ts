import { z } from 'zod'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, isoDay, readDay, timeOfDay, type Day } from '#domain/day.ts'
import { splitFactor, type Bar, type CorporateAction } from '#domain/judging/bar.ts'
import { isTradingDay } from '#domain/judging/calendar.ts'
import { rescale } from '#domain/judging/jump.ts'
import { callTo } from '#server/kit/http-call.ts'
import { type CallJson } from '#server/kit/json-call.ts'
import { type PriceSettings } from '#server/kit/settings/prices.ts'
import { type Clock } from '#server/kit/time.ts'
import { type DailyAnswer, type DailyAsk, type DailySource } from '#server/prices/ports.ts'

/** A price as exchanges send it, number or text. */
export const Price = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?(e-?\d{1,2})?$/i)
    .transform(Number),
])

/** A time as exchanges send it with a price, as Unix time in ms; null if it cannot be parsed. */
export const VenueTime = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .nullish()
  .transform((at) => at ?? null)
  .catch(null)

/** Unix time in seconds, number or text. */
export const Seconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,12}$/)
      .transform(Number),
  ])
  .refine((seconds) => seconds > 0 && seconds < 1e11)

/** A bar as sent by the source, not yet checked for plausibility. */
export type RawBar = Omit<Bar, 'source'>

/**
 * Cleans the bars of an answer: sorted, one per day (the later of two), only requested days on which the asset
 * trades. A bar whose numbers contradict each other is omitted and its day reported.
 */
function tidyBars(
  asset: AssetKey,
  source: string,
  raw: readonly RawBar[],
  { from, to }: { from: Day; to: Day },
): Required<Pick<DailyAnswer, 'bars' | 'senseless'>> {
  const { calendar } = ASSETS[asset]
  const byDay = new Map<Day, Bar>()
  const senseless = new Set<Day>()
  for (const bar of raw) {
    if (bar.day < from || bar.day > to || !isTradingDay(calendar, bar.day)) continue
    if (makesSense(bar)) byDay.set(bar.day, { ...bar, source })
    else senseless.add(bar.day)
  }
  return {
    bars: [...byDay.values()].toSorted((a, b) => a.day - b.day),
    senseless: [...senseless].filter((day) => !byDay.has(day)),
  }
}

/** Converts prices as traded into today's units. */
function adjusted(asset: AssetKey, bar: RawBar, actions: readonly CorporateAction[]): RawBar {
  const factor = splitFactor(asset, bar.day, actions)
  return factor === 1 ? bar : rescale(bar, factor)
}

function makesSense({ open, high, low, close }: RawBar): boolean {
  const isPrice = (usd: number): boolean => Number.isFinite(usd) && usd > 0
  if (!isPrice(close)) return false
  if (high === null || low === null) return high === low
  if (!isPrice(high) || !isPrice(low) || low > high || close < low || close > high) return false
  return open === null || (isPrice(open) && open >= low && open <= high)
}

export type SourceContext = {
  readonly settings: PriceSettings
  readonly clock: Clock
  readonly callJson: CallJson
}

type Query = Readonly<Record<string, string>>

type Usual = 'isOfficial' | 'isFull' | 'reachDays'

/** How to call a source, and how to turn its answer into bars. */
type Spec<Answer> = {
  /** Official, full and with all of its history by default. */
  readonly is: Omit<DailySource, 'daily' | Usual> & Partial<Pick<DailySource, Usual>>
  readonly at: keyof PriceSettings['urls']
  /** A source without its keys is omitted, unless `keyIsOptional`. */
  readonly keys?: readonly (keyof PriceSettings['keys'])[]
  readonly keyIsOptional?: true
  readonly path: string
  readonly query: (ask: DailyAsk, now: number, key: string) => Query
  readonly headers?: (key: string, secret: string) => Query
  readonly answer: z.ZodType<Answer>
  /** @throws SourceError if the answer is a refusal */
  readonly bars: (answer: Answer, now: number) => RawBar[]
  /** Parameters of the next page; null on the last one. */
  readonly next?: (answer: Answer) => Query | null
  /** Prices are as traded, not adjusted for later splits. */
  readonly isAsTraded?: true
}

const MOST_PAGES = 20

/** @returns opens the source, or returns null if the settings omit it */
export function source<Answer>(spec: Spec<Answer>) {
  const { name, title, asset } = spec.is
  return ({
    settings: { urls, keys: all },
    clock,
    callJson,
  }: SourceContext): DailySource | null => {
    const url = urls[spec.at]
    const keys = (spec.keys ?? []).flatMap((key) => all[key] ?? [])
    if (url === null) return null
    if (keys.length < (spec.keys ?? []).length && !spec.keyIsOptional) return null
    const [key = '', secret = ''] = keys
    const headers = key === '' ? {} : (spec.headers?.(key, secret) ?? {})
    return {
      isOfficial: true,
      isFull: true,
      reachDays: null,
      ...spec.is,
      async daily(ask) {
        const raw: RawBar[] = []
        let remoteMs: number | null = null
        let more: Query | null = {}
        for (let page = 0; more && page < MOST_PAGES; page += 1) {
          const call = callTo(url, spec.path, { ...spec.query(ask, clock.now(), key), ...more })
          const { signal } = ask
          const answer = await callJson({ title, url: call, schema: spec.answer, headers, signal })
          remoteMs = answer.remoteMs
          raw.push(...spec.bars(answer.body, clock.now()))
          more = spec.next?.(answer.body) ?? null
        }
        const bars = spec.isAsTraded ? raw.map((bar) => adjusted(asset, bar, ask.actions)) : raw
        return { ...tidyBars(asset, name, bars, ask), remoteMs }
      },
    }
  }
}

export const seconds = (at: Day): string => String(timeOfDay(at) / 1_000)
export const midnight = (at: Day): string => `${isoDay(at)}T00:00:00Z`

export type Prices = Omit<RawBar, 'day'>

export function candle(time: number, { open, high, low, close }: Prices): RawBar {
  return { day: dayOfTime(time * 1_000), open, high, low, close }
}

/** Empty if the day cannot be parsed. */
export function dated(date: string, { open, high, low, close }: Prices): RawBar[] {
  const at = readDay(date)
  return at === null ? [] : [{ day: at, open, high, low, close }]
}
