import { hedgehogPath } from '#contracts/hedgehog.ts'
import { type FoundRow, type SearchReply } from '#contracts/search.ts'
import { yearPath } from '#contracts/year.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { headline, madeText } from '#domain/claim/prediction-text.ts'
import {
  fitsSearch,
  isEmptySearch,
  isIn,
  namesLevel,
  namesPerson,
  readSearch,
  yearOf,
  type Wanted,
} from '#domain/claim/search.ts'
import { showDay, showNumberOf } from '#domain/day.ts'
import { tallyOf } from '#domain/scoring/said-calls.ts'
import { errorText } from '#domain/scoring/year-text.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type Snapshot } from './catalog.service.ts'
import { saidCalls } from './said-calls.ts'
import { yearsDue } from './years-due.ts'

type Group = SearchReply['groups'][number]

/** What of the record fits a search, at most so many of each kind; one pass over it, in memory. */
export function searchRecord(
  snapshot: Snapshot,
  { q, most }: { readonly q: string; readonly most: number },
): SearchReply {
  const wanted = readSearch(q)
  if (isEmptySearch(wanted)) return { groups: [] }
  const fitting = [...snapshot.byId.values()].filter((one) => fitsSearch(wanted, one))
  const groups = [
    group('People', people(snapshot, wanted), personRow, most),
    group('Years', years(snapshot, wanted), (row) => row, most),
    ...predictionGroups(fitting, wanted, most),
  ]
  return { groups: groups.filter(({ total }) => total > 0) }
}

function group<One>(
  title: string,
  all: readonly One[],
  rowOf: (one: One) => FoundRow,
  most: number,
): Group {
  return { title, total: all.length, found: all.slice(0, most).map(rowOf) }
}

/** Everyone with such a name, those with most predictions first. */
function people({ byExpert }: Snapshot, { words }: Wanted): (readonly JudgedPrediction[])[] {
  return [...byExpert.values()]
    .filter(([first]) => first && namesPerson(first.expert, words))
    .toSorted((a, b) => b.length - a.length)
}

function personRow(theirs: readonly JudgedPrediction[]): FoundRow {
  const { slug = '', name = '' } = theirs[0]?.expert ?? {}
  const count = (wanted: string) =>
    theirs.filter(({ verdicts }) => verdicts.touch.outcome === wanted).length
  return {
    path: `/experts/${encodeURIComponent(slug)}`,
    title: name,
    text: `${showNumberOf(theirs.length, 'prediction')}: ${String(count('hit'))} came true, ${String(count('miss'))} missed, ${String(count('pending'))} open`,
    outcome: null,
  }
}

/** The pages of a year that was named alone, or together with an asset. */
function years(snapshot: Snapshot, { words, levels, digits, spans }: Wanted): FoundRow[] {
  const year = spans[0] && yearOf(spans[0])
  if (!year || spans.length > 1 || levels.length + digits.length > 0) return []
  return Object.values(ASSETS)
    .filter(({ key, name }) =>
      words.every((word) => word === key || name.toLowerCase().startsWith(word)),
    )
    .flatMap(({ key }) => [...dueRow(snapshot, key, year), ...madeRow(snapshot, key, year)])
}

function dueRow(snapshot: Snapshot, asset: AssetKey, year: number): FoundRow[] {
  if (!yearsDue(snapshot).get(asset)?.includes(year)) return []
  return [
    {
      path: yearPath(asset, year),
      title: `${ASSETS[asset].name} predictions for ${String(year)}`,
      text: 'Calls due in that year, and what came of them',
      outcome: null,
    },
  ]
}

function madeRow(snapshot: Snapshot, asset: AssetKey, year: number): FoundRow[] {
  const { calls, decided, hits, error } = tallyOf(saidCalls(snapshot, asset), year)
  if (calls === 0) return []
  const off = error === null ? '' : `; the middle one was ${errorText(error)}`
  return [
    {
      path: `${hedgehogPath(asset)}?year=${String(year)}`,
      title: `${ASSETS[asset].name} predictions made in ${String(year)}`,
      text:
        decided === 0
          ? `${showNumberOf(calls, 'call')}, none decided yet`
          : `${String(hits)} of ${showNumberOf(decided, 'decided call')} came true${off}`,
      outcome: null,
    },
  ]
}

/** By deadline and by day made where a time was named; else in one list, an exact level before a range around it. */
function predictionGroups(
  fitting: readonly JudgedPrediction[],
  wanted: Wanted,
  most: number,
): Group[] {
  const { spans, levels } = wanted
  const [span] = spans
  if (span && spans.length === 1) {
    const due = fitting.filter(({ by }) => isIn(span, by)).toSorted((a, b) => a.by - b.by)
    const made = fitting.filter((one) => isIn(span, one.made) && !isIn(span, one.by))
    const year = yearOf(span)
    const when = year === null ? 'then' : `in ${String(year)}`
    return [
      group(`Predictions due ${when}`, due, predictionRow, most),
      group(`Predictions made ${when}`, made.toSorted(newestFirst), predictionRow, most),
    ]
  }
  const isExact = (one: JudgedPrediction) =>
    levels.every((usd) => namesLevel(one, usd) === 'exactly')
  const sorted = fitting.toSorted(
    (a, b) => Number(isExact(b)) - Number(isExact(a)) || newestFirst(a, b),
  )
  return [group('Predictions', sorted, predictionRow, most)]
}

function newestFirst(a: JudgedPrediction, b: JudgedPrediction): number {
  return b.made - a.made
}

function predictionRow(one: JudgedPrediction): FoundRow {
  return {
    path: `/predictions/${encodeURIComponent(one.id)}`,
    title: headline(one),
    text: `${madeText(one)}, due ${showDay(one.by, one.byPrecision)}`,
    outcome: one.verdicts.touch.outcome,
  }
}
