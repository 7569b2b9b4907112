import { openingDays } from '#chart/axes.ts'
import { openTargets } from '#chart/open-targets.ts'
import {
  type DashboardPart,
  type listedCalls,
  type people,
  type targets,
} from '#contracts/dashboard.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { expertsOf } from '#domain/listing/listing.ts'
import {
  inOrder,
  listedOf,
  MORE_CARDS,
  MOST_PEOPLE,
  MOST_TARGETS,
  MOST_WHOLE,
  partOf,
  supportedOf,
  type Ordered,
  type Some,
} from '#domain/listing/part.ts'
import { questionText, readQuestion, type Question } from '#domain/listing/question.ts'
import { foldName } from '#domain/people/name.ts'
import { atOnce } from '#server/kit/at-once.ts'
import { failure } from '#server/kit/failure.ts'
import { type HotList } from '#server/http/hot-list.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { closedBars, type Catalog, type CatalogAsset, type Snapshot } from './catalog.service.ts'
import { largeRecordAsOf } from './past.service.ts'
import { keptLists } from './kept-lists.ts'
import { type Records } from './predictions.service.ts'
import { predictionRow } from './wire.ts'
import { type z } from 'zod'

const MOST_BYTES = 24_000_000
/** Each judges a large record again: visitors beyond so many are asked to wait. */
const PAST_WAITING = 10

export type Dashboards = ReturnType<typeof dashboardService>

/** Gives a parameter of an address, or null. */
type Param = (name: string) => string | null

/** What dashboards show of records that are too large to be sent as a whole. */
export function dashboardService({
  records,
  catalog,
}: {
  readonly records: Pick<Records, 'snapshot'>
  readonly catalog: Pick<Catalog, 'today'>
}) {
  const kept = keptLists(records.snapshot, MOST_BYTES)
  const orders = new WeakMap<CatalogAsset, { readonly today: Day; readonly all: Ordered }>()
  const pastOrders = new WeakMap<
    CatalogAsset,
    { readonly past: Day; readonly all: Promise<Ordered | null> }
  >()
  const pastInTurn = atOnce({ most: 1, mostWaiting: PAST_WAITING })

  function indexOf(now: CatalogAsset): Ordered {
    const today = catalog.today()
    const known = orders.get(now)
    if (known?.today === today) return known.all
    const opening = openingDays(now.asset.axis, today)
    const all = inOrder(now.predictions, closesOf(closedBars(now.judged)), {
      opening,
      isPast: false,
    })
    orders.set(now, { today, all })
    return all
  }

  async function pastIndex(now: CatalogAsset, past: Day): Promise<Ordered> {
    const { bars, predictions } = await largeRecordAsOf(now, past)
    const opening = openingDays(now.asset.axis, past)
    return inOrder(predictions, closesOf(bars), { opening, isPast: true })
  }

  /** Of now, or of a past day, of which the last one that was asked for is kept. */
  async function indexAt(now: CatalogAsset, past: Day | null): Promise<Ordered> {
    if (past === null || past >= catalog.today()) return indexOf(now)
    const known = pastOrders.get(now)
    const asked = known?.past === past ? known.all : pastInTurn(() => pastIndex(now, past))
    pastOrders.set(now, { past, all: asked })
    const all = await asked
    if (all) return all
    if (pastOrders.get(now)?.all === asked) pastOrders.delete(now)
    throw failure('unavailable', 'Many people are looking at past days. Please try again.')
  }

  async function part(now: Snapshot, asset: AssetKey, question: Question): Promise<DashboardPart> {
    const found = partOf(await indexAt(now.assets[asset], question.past), question)
    const { rows, placesOf } = rowsOnce()
    const some = ({ total, ones }: Some) => ({ total, rows: placesOf(ones) })
    const { page, hasLuck, made, due, years } = found.history
    return {
      question: questionText(question),
      version: now.version,
      total: found.total,
      first: found.first === null ? null : isoDay(found.first),
      counts: found.counts,
      totals: found.totals,
      chosen: [...found.chosen],
      listed: some(found.listed),
      drawn: some(found.drawn),
      history: {
        ...some(found.history),
        page,
        has_luck: hasLuck,
        made: [...made],
        due: [...due],
        years: [...years],
      },
      rows,
    }
  }

  return {
    /** Whether it is sent as a whole. */
    isWhole: ({ predictions }: CatalogAsset): boolean => predictions.length <= MOST_WHOLE,

    /** What a page shows that was asked for with these parameters. */
    partOf: (now: Snapshot, asset: AssetKey, param: Param): Promise<DashboardPart> =>
      part(now, asset, readQuestion(param)),

    /** The same ready to be sent. */
    part(asset: AssetKey, param: Param): Promise<HotList> {
      const question = readQuestion(param)
      const name = questionText(question)
      return kept(`part ${asset} ${String(catalog.today())} ${name}`, async (now) =>
        JSON.stringify(await part(now, asset, question)),
      )
    },

    /** Further ones of the list beside the chart. */
    calls(asset: AssetKey, param: Param, skip: number): Promise<HotList> {
      const { selection, mode, past } = readQuestion(param)
      const { filter, experts, search } = selection
      const name = JSON.stringify([asset, filter, experts, search, mode, past, skip])
      return kept(`calls ${name}`, async (now) => {
        const found = listedOf(await indexAt(now.assets[asset], past), { selection, mode })
        const shown = found.slice(skip, skip + MORE_CARDS)
        const answer: z.infer<typeof listedCalls.reply> = {
          total: found.length,
          rows: shown.map(rowOf),
        }
        return JSON.stringify(answer)
      })
    },

    /** Where the open ones aim. */
    targets(asset: AssetKey, mode: JudgeMode, past: Day | null): Promise<HotList> {
      const on = past ?? catalog.today()
      return kept(`targets ${asset} ${mode} ${String(on)}`, async (now) => {
        const all = await indexAt(now.assets[asset], past)
        const found = openTargets(supportedOf(all), mode, on)
        const places = new Map<string, number>()
        const placeOf = (name: string): number => {
          const place = places.get(name) ?? places.size
          places.set(name, place)
          return place
        }
        const answer: z.infer<typeof targets.reply> = {
          total: found.targets.length,
          limits: found.limits,
          targets: found.targets
            .slice(0, MOST_TARGETS)
            .map(({ name, votes, days, prices }) => [...days, ...prices, votes, placeOf(name)]),
          names: [...places.keys()],
        }
        return JSON.stringify(answer)
      })
    },

    /** Experts with a part of a name, those with the most predictions first. */
    people(asset: AssetKey, search: string, past: Day | null): Promise<HotList> {
      const wanted = foldName(search)
      return kept(`people ${asset} ${String(past)} ${wanted}`, async (now) => {
        const { predictions, once } = await indexAt(now.assets[asset], past)
        const everyone = once('people', () =>
          expertsOf(predictions).toSorted((a, b) => b.predictions - a.predictions),
        )
        const found = everyone.filter(({ name }) => foldName(name).includes(wanted))
        const answer: z.infer<typeof people.reply> = {
          total: found.length,
          people: found.slice(0, MOST_PEOPLE),
        }
        return JSON.stringify(answer)
      })
    },
  }
}

function closesOf(bars: readonly Pick<AgreedBar, 'day' | 'close'>[]) {
  return { days: bars.map(({ day }) => day), closes: bars.map(({ close }) => close) }
}

/** Every prediction is sent once, in however many lists it is. */
function rowsOnce() {
  const rows: ReturnType<typeof rowOf>[] = []
  const places = new Map<Prediction, number>()
  const placeOf = (one: Prediction): number => {
    const known = places.get(one)
    if (known !== undefined) return known
    places.set(one, rows.length)
    return rows.push(rowOf(one)) - 1
  }
  return { rows, placesOf: (ones: readonly Prediction[]) => ones.map(placeOf) }
}

/** The lists hold what they were made from. */
function rowOf(one: Prediction) {
  return predictionRow(one as JudgedPrediction)
}
