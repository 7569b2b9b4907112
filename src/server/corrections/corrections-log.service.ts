import { and, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import * as contract from '#contracts/public-logs.ts'
import { statementText } from '#domain/claim/prediction.ts'
import { readReasoned } from '#domain/correction.ts'
import { type VerdictChange } from '#server/database/schema/predictions.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { eventsOf, type RecordEvent } from '#server/judging/verdicts.rows.ts'
import { type Db, placeIn, readRows } from '#server/kit/db.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { reportsOfEvents } from '#server/reports/reports.rows.ts'

/** Why a verdict changed without an administrator. */
const WHY: Readonly<Record<VerdictChange, string | null>> = {
  first: null,
  prices: 'Prices that arrived or were corrected later lead to a different result.',
  range: 'The high and low of a day became known; before, the record had only its close.',
  rules: 'A new rule set is in force.',
  statement: 'The entry was corrected, and the rule judged it again.',
  override: 'The entry was corrected; the verdict set by hand still applies.',
  lift: null,
}

/** Changes of the record since its beginning, from the histories of its predictions, newest first. */
export async function listCorrections(
  db: Db,
  record: Pick<PublicRecord, 'byIds'>,
  query: CorrectionsQuery,
  place?: { readonly skip: number; readonly most: number },
): Promise<readonly contract.Correction[]> {
  const numbers = await correctionNumbers(db, query, place)
  const [events, reports] = await Promise.all([
    eventsOf(db, contract.CORRECTION_KINDS, numbers),
    reportsOfEvents(db, numbers),
  ])
  const about = await record.byIds([...new Set(events.map((one) => one.predictionId))])
  const predictions = new Map(about.map((one) => [one.id, one]))
  return events.toReversed().flatMap((event): contract.Correction[] => {
    const prediction = predictions.get(event.predictionId)
    if (!prediction) return []
    const { event: number, at, kind, verdict } = event
    return [
      {
        number,
        at,
        kind,
        prediction: entryOf(prediction),
        ...whatAndWhy(event),
        verdict: verdict && {
          mode: verdict.mode,
          before: verdict.before?.outcome ?? null,
          after: verdict.outcome,
        },
        reports: reports.get(number) ?? [],
      },
    ]
  })
}

export function entryOf(prediction: JudgedPrediction): contract.Correction['prediction'] {
  const { id, asset, expert } = prediction
  const person = { name: expert.name, slug: expert.slug }
  return { id, asset, statement: statementText(prediction), person }
}

export async function correctionsPage(
  db: Db,
  record: PublicRecord,
  view: contract.CorrectionsView,
): Promise<contract.CorrectionsPage> {
  const [counted] = await readRows(db, z.object({ total: z.int() }))`
    select count(*)::int as total ${corrections(view)}`
  const { total } = counted ?? { total: 0 }
  const { place, ...at } = placeIn(total, view.page, contract.CORRECTIONS_A_PAGE)
  const rows = await listCorrections(db, record, view, place)
  const [person] = view.person === null ? [] : await record.people({ experts: [view.person] })
  const name =
    view.person === null ? null : (person?.name ?? rows[0]?.prediction.person.name ?? null)
  return { view, ...at, name, rows }
}

export function whatAndWhy({ text, verdict }: Pick<RecordEvent, 'text' | 'verdict'>) {
  const { what, why } = readReasoned(text)
  return { what, why: why ?? (verdict && WHY[verdict.change]) }
}

/** Entries of the corrections page, oldest first. */
export async function correctionsOnRecord(tx: Db): Promise<RecordEvent<contract.CorrectionKind>[]> {
  return (await eventsOf(tx, contract.CORRECTION_KINDS)).filter(changesRecord)
}

/**
 * Same as `CHANGES_RECORD` in SQL. Neither a first decision by prices nor better evidence for the same decision
 * is a correction.
 */
export function changesRecord({ kind, verdict }: RecordEvent<contract.CorrectionKind>): boolean {
  if (kind !== 'changed' || verdict === null) return true
  const { before, change, outcome, day } = verdict
  if (before === null) return false
  if (before.change === 'override') return true
  const isCourse = before.outcome === 'pending' && (change === 'prices' || change === 'range')
  return !isCourse && (outcome !== before.outcome || day !== before.day)
}

export type CorrectionsQuery = Omit<contract.CorrectionsView, 'page'> & {
  readonly predictions?: readonly string[]
  /** Only from this ISO moment on. */
  readonly since?: string
}

/** See `changesRecord`; `was` is the previous verdict. */
const CHANGES_RECORD = sql`(
  event.kind <> 'changed' or event.verdict_id is null or was.change = 'override'
  or was.outcome is not null and not (was.outcome = 'pending' and now.change in ('prices', 'range'))
    and (now.outcome <> was.outcome or now.day is distinct from was.day))`

function corrections({ kind, asset, person, predictions, since }: CorrectionsQuery): SQL {
  const condition = and(
    sql`event.kind = any(${sql.param(kind === null ? [...contract.CORRECTION_KINDS] : [kind])}::text[])`,
    CHANGES_RECORD,
    asset === null ? undefined : sql`predictions.asset = ${asset}`,
    person === null ? undefined : sql`influencers.slug = ${person}`,
    since === undefined ? undefined : sql`event.at >= ${since}::timestamptz`,
    predictions && sql`predictions.id = any(${sql.param([...predictions])}::text[])`,
  )
  return sql`
    from prediction_events event
    join predictions on predictions.id = event.prediction_id
    join influencers on influencers.id = predictions.influencer_id
    left join verdicts now on now.id = event.verdict_id
    left join lateral (
      select outcome, change, day from verdicts
      where prediction_id = now.prediction_id and mode = now.mode and id < now.id
      order by id desc limit 1
    ) was on event.kind = 'changed'
    where ${condition}`
}

/** Ids of their events, newest first. */
async function correctionNumbers(
  db: Db,
  query: CorrectionsQuery,
  { skip, most }: { readonly skip: number; readonly most: number | null } = { skip: 0, most: null },
): Promise<number[]> {
  const found = await readRows(db, z.object({ id: z.number() }))`
    select event.id::float8 as id ${corrections(query)}
    order by event.id desc limit ${most} offset ${skip}`
  return found.map(({ id }) => id)
}
