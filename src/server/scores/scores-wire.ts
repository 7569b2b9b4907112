import { sampleOf } from '#chart/strip-marks.ts'
import { type BoardCall, type BoardRow } from '#contracts/board.ts'
import { type PersonScoreRow, type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { claimText, typeLabel } from '#domain/claim/text.ts'
import { isoDay, readDay, type Day } from '#domain/day.ts'
import { type LuckTest } from '#domain/scoring/luck.ts'
import { noLuckSentence } from '#domain/scoring/odds-text.ts'
import { type CountedCall, type PersonScore } from '#domain/scoring/person-score.ts'
import {
  findingSentence,
  scoreNotes,
  selectionSentence,
  totalsSentence,
} from '#domain/scoring/score-text.ts'
import { type ScoredCall } from '#domain/scoring/scored-call.ts'
import { type Scores, type Totals } from '#domain/scoring/scores.ts'

type Figures = ScoresReply['yardsticks'][number]
type Since = NonNullable<ScoredCall['sinceRecorded']>
type SinceRow = NonNullable<ScoredCallRow['since_recorded']>
type TallyRow = Figures['recorded']['before']

/** @param people empty if they are written one by one */
export function scoresReply(
  scores: Scores,
  {
    inputs,
    lastOver,
    luckTest,
  }: { inputs: ScoresReply['inputs']; lastOver: Day; luckTest: LuckTest },
  people: readonly PersonScoreRow[],
): ScoresReply {
  const { mode, rule, pricesThrough } = scores
  return {
    as_of: isoDay(scores.asOf),
    mode,
    rule,
    inputs,
    prices_through: Object.fromEntries(
      Object.entries(pricesThrough).map(([key, day]) => [key, isoOrNull(day)]),
    ),
    notes: scoreNotes(scores, lastOver),
    finding: findingSentence(scores.people),
    people: [...people],
    yardsticks: scores.yardsticks.map(figuresOf),
    totals: scores.totals.map(totalsRow),
    years: scores.years.map(({ asset, ...row }) => ({ asset_type: asset, ...row })),
    has_recorded_before: scores.hasRecordedBefore,
    selection: selectionSentence(scores),
    luck_test: {
      calls: luckTest.calls,
      rows: luckTest.rows.map(({ asset, ...row }) => ({ asset_type: asset, ...row })),
      horizons: luckTest.horizons.map(({ asset, ...row }) => ({ asset_type: asset, ...row })),
    },
  }
}

export function personRow(person: PersonScore): PersonScoreRow {
  return { ...figuresOf(person), calls: person.calls.map(callRow) }
}

export function totalsRow(totals: Totals): ScoresReply['totals'][number] {
  const { asset, timeIsUp, ...rest } = totals
  const more = { bins: [...rest.bins], sentence: totalsSentence(totals) }
  return { asset_type: asset, time_is_up: timeIsUp, ...rest, ...more }
}

export function figuresOf(person: PersonScore<CountedCall>): Figures {
  return {
    slug: person.slug,
    name: person.name,
    band: person.band,
    time_is_up: person.timeIsUp,
    decided: person.decided,
    undated: person.undated,
    against_luck: person.againstLuck,
    skill: person.skill,
    shrunk: person.shrunken,
    open: person.open,
    boldness: person.boldness,
    median_days_to_hit: person.medianDaysToHit,
    sats: person.sats,
    replayed: person.replayed,
    recorded: { before: tallyRow(person.recorded.before), after: tallyRow(person.recorded.after) },
    last_call: isoOrNull(person.lastCall),
  }
}

function tallyRow({ timeIsUp, ...rest }: PersonScore['recorded']['before']): TallyRow {
  return { time_is_up: timeIsUp, ...rest }
}

function callRow(call: ScoredCall): ScoredCallRow {
  const { min, max } = levelsOf(call.claim)
  return {
    id: call.id,
    asset_type: call.asset,
    label: typeLabel(call.claim.type),
    text: claimText(call.claim),
    level_min: min,
    level_max: max,
    direction: call.direction,
    made: isoDay(call.made),
    window_from: isoDay(call.window.from),
    deadline: isoDay(call.window.to),
    reference: call.usd,
    outcome: call.outcome,
    decided: isoOrNull(call.decided),
    repeats: call.repeats,
    sigma: call.motion?.sigma ?? null,
    drift: call.motion?.drift ?? null,
    seen_once: call.seenOnce,
    luck: call.luck,
    no_luck: call.noLuck,
    no_luck_text: noLuckSentence(call),
    observed: call.observed,
    expected: call.expected,
    time_is_up: call.timeIsUp,
    since_recorded: call.sinceRecorded && sinceRow(call.sinceRecorded),
  }
}

function sinceRow({
  made,
  direction,
  outcome,
  decided,
  luck,
  noLuck,
  observed,
  expected,
  timeIsUp,
}: Since): SinceRow {
  const days = { made: isoDay(made), decided: isoOrNull(decided) }
  const chances = { luck, no_luck: noLuck, observed, expected }
  return { ...days, direction, outcome, ...chances, time_is_up: timeIsUp }
}

function isoOrNull(day: Day | null | undefined): string | null {
  return day == null ? null : isoDay(day)
}

export function dayOfRow(text: string): Day {
  const day = readDay(text)
  if (day === null) throw new Error(`scores hold the date "${text}"`)
  return day
}

export type BoardStrip = Pick<BoardRow, 'call_count' | 'calls'>

export function stripOf(calls: readonly BoardCall[]): BoardStrip {
  const placed = calls.flatMap(({ asset: _asset, luck, ...call }) =>
    luck === null || call.outcome === 'void' ? [] : { ...call, luck },
  )
  return { call_count: calls.length, calls: sampleOf(placed) }
}

type BoardCallRow = Pick<
  ScoredCallRow,
  'id' | 'asset_type' | 'text' | 'deadline' | 'outcome' | 'luck'
>

export function boardCalls(calls: readonly (BoardCallRow & Pick<ScoredCallRow, 'repeats'>)[]) {
  return calls.filter(({ repeats }) => repeats === null).map(boardCall)
}

export function boardCall({ id, asset_type, text, deadline, outcome, luck }: BoardCallRow) {
  return { id, asset: asset_type, text, deadline, outcome, luck: luck ?? null }
}

export function callOfRow(row: ScoredCallRow): CountedCall {
  return {
    asset: row.asset_type,
    repeats: row.repeats,
    ...sinceOf(row),
    sinceRecorded: row.since_recorded && sinceOf(row.since_recorded),
  }
}

function sinceOf(row: SinceRow): Since {
  return {
    made: dayOfRow(row.made),
    direction: row.direction,
    outcome: row.outcome,
    decided: row.decided === null ? null : dayOfRow(row.decided),
    luck: row.luck,
    noLuck: row.no_luck,
    observed: row.observed,
    expected: row.expected,
    timeIsUp: row.time_is_up,
  }
}

/** The JSON of a reply in pieces. @param about the reply without people */
export async function* replyText(about: ScoresReply, people: AsyncIterable<PersonScoreRow>) {
  const text = JSON.stringify(about)
  const middle = text.indexOf(NOBODY) + NOBODY.length - 1
  yield text.slice(0, middle)
  let comma = ''
  for await (const person of people) {
    yield comma + JSON.stringify(person)
    comma = ','
  }
  yield text.slice(middle)
}

const NOBODY = '"people":[]'
