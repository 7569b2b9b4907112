import { type judgedBars } from '#contracts/judged-bars.ts'
import { judgedBarRow } from '#contracts/judged-bars-wire.ts'
import { type assets, type oneExpert, type onePrediction } from '#contracts/predictions.ts'
import { type livePrice } from '#contracts/prices.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { sessionOf } from '#domain/judging/session.ts'
import { dayOfTime, isoDay } from '#domain/day.ts'
import { barsThatJudge } from '#domain/judging/steps.ts'
import { sentencesOf } from '#domain/judging/verdict-text.ts'
import { failure } from '#server/kit/failure.ts'
import { type HotList } from '#server/http/hot-list.ts'
import { iso } from '#server/kit/iso.ts'
import { type Db } from '#server/kit/db.ts'
import { goalpostsRow } from '#server/goalposts/revisions.ts'
import { influencerBySlug } from '#server/people/people.rows.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { historyOf } from '#server/judging/verdicts.rows.ts'
import { type z } from 'zod'
import { closedBars, type Catalog, type Snapshot } from './catalog.service.ts'
import { type LivePrices } from '#server/prices/live-prices.ts'
import { type SignedRecord } from '#server/attestation/attestation.service.ts'
import { shownReplies } from '#server/replies/shown-replies.service.ts'
import { keptLists } from './kept-lists.ts'
import { historyRows, predictionRow } from './wire.ts'

export type Records = ReturnType<typeof recordService>

/** For the bars of predictions that someone judges again. */
const BARS_BYTES = 4_000_000

/** Single answers about what is on record. */
export function recordService({
  db,
  catalog,
  live,
  signed,
}: {
  db: Db
  catalog: Catalog
  live: LivePrices
  signed: Pick<SignedRecord, 'shortOf'>
}) {
  function snapshot(): Snapshot {
    const now = catalog.snapshot()
    if (!now)
      throw failure('unavailable', 'The record is being read. Please try again in a moment.')
    return now
  }

  const keptBars = keptLists(snapshot, BARS_BYTES)

  /** The history of a prediction and no more: nothing of it is newer than what the record in memory says of the rest. */
  async function historyOnRecord(id: string): Promise<Awaited<ReturnType<typeof historyOf>>> {
    const isNewer = ({ event }: { event: number }) =>
      event > (catalog.snapshot()?.newestEvent(id) ?? 0)
    let history = await historyOf(db, id)
    if (history.some(isNewer)) {
      // Where it cannot be read again now, the last good state is shown as a whole.
      await catalog.refresh().catch(() => undefined)
      history = await historyOf(db, id)
    }
    return history.filter((one) => !isNewer(one))
  }

  function shownIn({ byId, withdrawn }: Snapshot, id: string): JudgedPrediction {
    const found = byId.get(id) ?? withdrawn.get(id)
    if (!found) throw failure('not_found', 'There is no prediction at this address.')
    return found
  }

  return {
    snapshot,

    async prediction(id: string): Promise<z.infer<typeof onePrediction.reply>> {
      shownIn(snapshot(), id)
      const history = await historyOnRecord(id)
      const now = snapshot()
      const found = shownIn(now, id)
      const chain = now.revisions
        .of(found.expert.slug)
        .find(({ calls }) => calls.some((call) => call.id === id))
      return {
        prediction: predictionRow(found),
        ...sentencesOf(found),
        withdrawn: found.withdrawn && {
          at: iso(found.withdrawn.at),
          reason: found.withdrawn.reason,
        },
        record: await signed.shortOf(id),
        goalposts: chain ? goalpostsRow(chain) : null,
        history: historyRows(history),
        replies: await shownReplies(db, { influencerId: found.expert.id, predictionId: id }),
      }
    },

    /** What judges a prediction, for those who want to judge it themselves. */
    bars(id: string): Promise<HotList> {
      return keptBars(id, (now) => {
        const found = shownIn(now, id)
        const { series } = now.assets[found.asset].judged
        return JSON.stringify({
          asset: found.asset,
          final_through: series.finalThrough === null ? null : isoDay(series.finalThrough),
          bars: barsThatJudge(series, found).map(judgedBarRow),
        } satisfies z.infer<typeof judgedBars.reply>)
      })
    },

    async expert(slug: string): Promise<z.infer<typeof oneExpert.reply>> {
      const expert = await influencerBySlug(db, slug)
      if (!expert) throw failure('not_found', 'There is no expert at this address.')
      // An earlier address, or that of a merged influencer, shows the one of today.
      const { byExpert, revisions } = snapshot()
      const theirs = byExpert.get(expert.slug) ?? []
      return {
        expert: {
          id: expert.id,
          name: expert.name,
          slug: expert.slug,
          x_handle: expert.handle,
          is_firm: expert.isFirm,
          predictions: theirs.length,
        },
        predictions: theirs.map(predictionRow),
        goalposts: revisions.of(expert.slug).map(goalpostsRow),
        replies: await shownReplies(db, { influencerId: expert.id, predictionId: null }),
      }
    },

    assets(): z.infer<typeof assets.reply> {
      return Object.values(snapshot().assets).map(({ asset, judged, predictions }) => {
        const bars = closedBars(judged)
        const [first, last] = [bars[0], bars.at(-1)]
        return {
          key: asset.key,
          symbol: asset.symbol,
          name: asset.name,
          route: asset.route,
          first_bar: first ? isoDay(first.day) : null,
          last_bar: last ? isoDay(last.day) : null,
          bars: bars.length,
          predictions: predictions.length,
          sources: [...new Set(bars.flatMap((bar) => bar.source.split(' + ')))].toSorted(),
        }
      })
    },

    lastPrice(asset: AssetKey): z.infer<typeof livePrice.reply> {
      const close = closedBars(snapshot().assets[asset].judged).at(-1)
      const now = live.last(asset)
      // A close of after the last live price is newer than it.
      const closedAt = close ? (sessionOf(ASSETS[asset].calendar, close.day)?.end ?? 0) : 0
      if (now && now.at >= closedAt) {
        const { price, at, source } = now
        return { price, date: isoDay(dayOfTime(at)), source, at: new Date(at).toISOString() }
      }
      return {
        price: close?.close ?? null,
        date: close ? isoDay(close.day) : null,
        source: close?.source ?? null,
        at: null,
      }
    },
  }
}
