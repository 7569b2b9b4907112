import { type z } from 'zod'
import { LIVE_OLD_MS } from '#contracts/paths.ts'
import { type status } from '#contracts/prices.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { lastEndedDay } from '#domain/judging/series.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { lastBars } from './bars.rows.ts'
import { type LivePrices } from './live-prices.ts'
import { type DailySource, type PriceSources, type TickFeed } from './ports.ts'
import {
  loadSources,
  openQuestions,
  type PriceQuestion,
  type SourceState,
} from './price-sources.rows.ts'

export type StatusService = ReturnType<typeof statusService>
type Status = z.infer<typeof status.reply>

/** A status costs three small queries; it is cached this long. */
const CACHE_MS = 1_000

/** Name under which the live price of a source is tracked, beside its daily bars. */
export function liveName(source: string): string {
  return `${source} live`
}

type StatusKit = Pick<Kit, 'db' | 'clock'> &
  PriceSources & {
    readonly record: Pick<PublicRecord, 'prices'>
    readonly live: LivePrices
    /** Null where outside prices are disabled. */
    readonly isLeader: () => boolean | null
  }

/** Status of the prices; during a database outage, the last known one. */
export function statusService(kit: StatusKit) {
  const { db, clock, record, live, daily, feeds, isLeader } = kit
  let finals: Readonly<Partial<{ [Asset in AssetKey]: Day | null }>> = {}
  let known: Pick<Status, 'sources' | 'questions'> = {
    sources: [],
    questions: [],
  }
  let readAt = -Infinity
  let reading = Promise.resolve()

  async function read(): Promise<typeof known> {
    const [prices, states, bars, questions] = await Promise.all([
      record.prices(),
      loadSources(db),
      lastBars(db),
      openQuestions(db),
    ])
    finals = Object.fromEntries(
      ASSET_KEYS.map((key) => [key, prices[key].series.finalThrough] as const),
    )
    const stateOf = (asset: string, name: string): SourceState | null =>
      states.find((one) => one.asset === asset && one.source === name) ?? null
    const row = (source: DailySource | TickFeed, kind: 'daily' | 'live') => {
      const { asset, name, title } = source
      const isOf = (one: { asset: string; source: string }): boolean =>
        one.asset === asset && one.source === name
      return {
        ...facts(stateOf(asset, kind === 'live' ? liveName(name) : name)),
        asset,
        source: name,
        title,
        kind,
        official: 'isOfficial' in source ? source.isOfficial : true,
        last_bar: kind === 'live' ? null : (bars.find(isOf)?.day ?? null),
      }
    }
    const polled = daily.filter((one) => feeds.every((feed) => feed.asset !== one.asset))
    const streamed = [...feeds, ...polled].filter(({ asset, name }) =>
      stateOf(asset, liveName(name)),
    )
    return {
      sources: [
        ...daily.map((one) => row(one, 'daily')),
        ...streamed.map((one) => row(one, 'live')),
      ],
      questions: questions.map(questionRow),
    }
  }

  return {
    async status(): Promise<Status> {
      const now = clock.now()
      if (performance.now() - readAt > CACHE_MS) {
        readAt = performance.now()
        reading = read().then(
          (now) => void (known = now),
          () => undefined,
        )
      }
      // Concurrent calls share one reading.
      await reading
      const leader = isLeader()
      return {
        now: new Date(now).toISOString(),
        prices: leader !== null,
        leader,
        assets: Object.values(ASSETS).map(({ key, calendar }) => {
          const final = finals[key] ?? null
          const price = live.last(key)
          return {
            asset: key,
            last_bar: final === null ? null : isoDay(final),
            expected_bar: isoDay(lastEndedDay(calendar, now)),
            live: price && {
              price: price.price,
              at: new Date(price.at).toISOString(),
              source: price.source,
              is_old: now - price.at > LIVE_OLD_MS,
            },
          }
        }),
        ...known,
      }
    },
  }
}

function facts(state: SourceState | null) {
  const moment = (ms: number | null | undefined): string | null =>
    ms == null ? null : new Date(ms).toISOString()
  const wasPolled = state?.lastSuccessAt != null || state?.lastErrorAt != null
  const polled = state?.failures ? ('failing' as const) : ('ok' as const)
  return {
    state: wasPolled ? polled : ('not-asked' as const),
    last_success: moment(state?.lastSuccessAt),
    last_error: state?.lastError ?? null,
    last_error_at: moment(state?.lastErrorAt),
    failures: state?.failures ?? 0,
    next_run: moment(state?.nextRunAt),
  }
}

/** A price jump that awaits an administrator, as shown by API and commands. */
export function questionRow(row: PriceQuestion) {
  const { asset, sources, beforeUsd: before, afterUsd: after } = row
  return {
    asset,
    date: isoDay(row.day),
    sources,
    before_date: isoDay(row.beforeDay),
    before,
    after,
  }
}
