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
import { type HotList } from '#server/http/hot-list.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { closedBars, type Catalog, type CatalogAsset, type Snapshot } from './catalog.service.ts'
import { keptLists } from './kept-lists.ts'
import { type Records } from './predictions.service.ts'
import { predictionRow } from './wire.ts'
import { type z } from 'zod'

const MOST_BYTES = 24_000_000

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

  function indexOf(now: CatalogAsset): Ordered {
    const today = catalog.today()
    const known = orders.get(now)
    if (known?.today === today) return known.all
    const opening = openingDays(now.asset.axis, today)
    const all = inOrder(now.predictions, closesOf(now), { opening, isPast: false })
    orders.set(now, { today, all })
    return all
  }

  function part(now: Snapshot, asset: AssetKey, question: Question): DashboardPart {
    const found = partOf(indexOf(now.assets[asset]), question)
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
    partOf: (now: Snapshot, asset: AssetKey, param: Param): DashboardPart =>
      part(now, asset, readQuestion(param)),

    /** The same ready to be sent. */
    part(asset: AssetKey, param: Param): Promise<HotList> {
      const question = readQuestion(param)
      const name = questionText(question)
      return kept(`part ${asset} ${name}`, (now) => JSON.stringify(part(now, asset, question)))
    },

    /** Further ones of the list beside the chart. */
    calls(asset: AssetKey, param: Param, skip: number): Promise<HotList> {
      const { selection, mode } = readQuestion(param)
      const { filter, experts, search } = selection
      const name = JSON.stringify([asset, filter, experts, search, mode, skip])
      return kept(`calls ${name}`, (now) => {
        const found = listedOf(indexOf(now.assets[asset]), { selection, mode })
        const shown = found.slice(skip, skip + MORE_CARDS)
        const answer: z.infer<typeof listedCalls.reply> = {
          total: found.length,
          rows: shown.map(rowOf),
        }
        return JSON.stringify(answer)
      })
    },

    /** Where the open ones aim. */
    targets(asset: AssetKey, mode: JudgeMode): Promise<HotList> {
      const today = catalog.today()
      return kept(`targets ${asset} ${mode} ${String(today)}`, (now) => {
        const found = openTargets(supportedOf(indexOf(now.assets[asset])), mode, today)
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
    people(asset: AssetKey, search: string): Promise<HotList> {
      const wanted = foldName(search)
      return kept(`people ${asset} ${wanted}`, (now) => {
        const { predictions, once } = indexOf(now.assets[asset])
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

function closesOf({ judged }: CatalogAsset) {
  const bars = closedBars(judged)
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
