import {
  CORRECTION_KINDS,
  CORRECTIONS_A_PAGE,
  type Correction,
  type CorrectionKind,
  type CorrectionsPage,
  type CorrectionsView,
} from '#contracts/corrections-log.ts'
import { statementText } from '#domain/claim/prediction-text.ts'
import { readReasoned } from '#domain/correction.ts'
import { eventsOf, type RecordEvent } from '#server/judging/verdicts.rows.ts'
import { type VerdictChange } from '#server/database/schema/predictions.ts'
import { type Db } from '#server/kit/db.ts'
import { reportsOfEvents } from '#server/reports/reports.rows.ts'
import { type Snapshot } from '#server/predictions/catalog.service.ts'

export type CorrectionsLog = ReturnType<typeof correctionsLog>

/** Why a verdict changed that nobody set by hand. */
const WHY: Readonly<Record<VerdictChange, string | null>> = {
  first: null,
  prices: 'Prices that came or were corrected later lead the rule to another result.',
  range: 'The high and low of a day became known of which the record had only the close.',
  rules: 'Another set of rules is in force.',
  statement: 'The entry was corrected, and the rule judged it again.',
  override: 'The entry was corrected; the verdict set by hand goes on.',
}

/**
 * Every change of the record since it began, from the histories of its predictions: read when it is asked for, and kept until
 * the record changes.
 */
export function correctionsLog({ db, snapshot }: { db: Db; snapshot: () => Snapshot }) {
  let of: Snapshot | null = null
  let kept: Promise<readonly Correction[]> = Promise.resolve([])

  /** Newest first. */
  function all(): Promise<readonly Correction[]> {
    const now = snapshot()
    if (now !== of) {
      of = now
      const begun = read(db, now)
      kept = begun
      // What could not be read is read again for the next one who asks.
      begun.catch(() => {
        if (kept === begun) of = null
      })
    }
    return kept
  }

  async function narrowed(view: Omit<CorrectionsView, 'page'>): Promise<readonly Correction[]> {
    return (await all()).filter(
      ({ kind, prediction: { asset, person } }) =>
        (view.asset === null || asset === view.asset) &&
        (view.kind === null || kind === view.kind) &&
        (view.person === null || person.slug === view.person),
    )
  }

  return {
    narrowed,
    async page(view: CorrectionsView): Promise<CorrectionsPage> {
      const rows = await narrowed(view)
      const pages = Math.max(1, Math.ceil(rows.length / CORRECTIONS_A_PAGE))
      const page = Math.min(view.page, pages)
      const { person } = view
      return {
        view,
        page,
        total: rows.length,
        pages,
        name: person === null ? null : nameOf(snapshot(), rows, person),
        rows: rows.slice((page - 1) * CORRECTIONS_A_PAGE, page * CORRECTIONS_A_PAGE),
      }
    },
  }
}

async function read(db: Db, { byId, withdrawn }: Snapshot): Promise<readonly Correction[]> {
  const [events, reports] = await Promise.all([eventsOf(db, CORRECTION_KINDS), reportsOfEvents(db)])
  return events.toReversed().flatMap((event): Correction[] => {
    const prediction = byId.get(event.predictionId) ?? withdrawn.get(event.predictionId)
    if (!prediction || !changesRecord(event)) return []
    const { event: number, at, kind, verdict } = event
    const { id, asset, expert } = prediction
    return [
      {
        number,
        at,
        kind,
        prediction: {
          id,
          asset,
          statement: statementText(prediction),
          person: { name: expert.name, slug: expert.slug },
        },
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

/** What an event changed, and why; null where nobody gave a reason. */
export function whatAndWhy({
  text,
  verdict,
}: Pick<RecordEvent, 'text' | 'verdict'>): Pick<Correction, 'what' | 'why'> {
  const { what, why } = readReasoned(text)
  return { what, why: why ?? (verdict && WHY[verdict.change]) }
}

/**
 * That an open call is decided by new prices is its ordinary course, and the same decision on better evidence or by another
 * set of rules changes nothing that was said. All else does.
 */
export function changesRecord({ kind, verdict }: RecordEvent<CorrectionKind>): boolean {
  if (kind !== 'changed' || verdict === null) return true
  const { before, change, outcome, day } = verdict
  if (before === null) return false
  if (before.change === 'override') return true
  const isCourse = before.outcome === 'pending' && (change === 'prices' || change === 'range')
  return !isCourse && (outcome !== before.outcome || day !== before.day)
}

function nameOf({ byExpert }: Snapshot, rows: readonly Correction[], slug: string): string | null {
  return byExpert.get(slug)?.[0]?.expert.name ?? rows[0]?.prediction.person.name ?? null
}
