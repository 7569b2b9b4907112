import { z } from 'zod'
import { PredictionMessage, VerdictMessage } from '#contracts/prices.ts'
import { dayOfTime } from '#domain/day.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { type Kit } from '#server/kit/kit.ts'
import { oneAtATime, type Signal } from '#server/kit/signals.ts'
import { type LivePrices } from '#server/prices/live-prices.ts'
import { type PublicRecord } from './record.service.ts'

const AGAIN_MS = 5_000
const NEW_DAY_CHECK_MS = 60_000
/** Maximum predictions per message; pages reload their lists anyway. */
const MOST_SENT = 100

/** Forwards changes of the record to open pages. @param judgeDue null in a process that does not judge */
export function startRecord(
  { db, signals, clock, log, outages }: Kit,
  record: PublicRecord,
  live: LivePrices,
  judgeDue: (() => Promise<unknown>) | null,
): { stop: () => void } {
  let sent: { readonly version: string; readonly event: number } | null = null
  /** Changes without an event in a prediction's history. */
  let named: PredictionMessage[] = []
  let again: NodeJS.Timeout | null = null

  const send = oneAtATime(async () => {
    await record.refresh()
    const [version, before] = [record.version(), sent]
    const { event, verdicts, predictions } = await changesAfter(db, before?.event ?? null)
    const changed = [...predictions, ...named]
    named = []
    sent = { version, event }
    if (before?.version === version && changed.length === 0) return
    const byId = new Map(changed.map((one) => [one.id, one]))
    live.recorded({
      since: before?.version ?? null,
      version,
      verdicts,
      predictions: [...byId.values()].slice(0, MOST_SENT),
    })
  })

  function follow(signal: Signal | null): void {
    const message = PredictionMessage.safeParse(signal?.value)
    if (message.success) named.push(message.data)
    send().catch((error: unknown) => {
      // Otherwise these changes would go unnoticed until the next one.
      again ??= setTimeout(() => {
        again = null
        follow(null)
      }, AGAIN_MS).unref()
      if (outages.notice(error) !== null) return
      log.error({ err: error }, 'changes of the record could not be read')
    })
  }

  const unlisten = signals.listen('record', follow)
  let currentDay = dayOfTime(clock.now())
  const newDay = setInterval(() => {
    const today = dayOfTime(clock.now())
    if (today === currentDay) return
    currentDay = today
    judgeDue?.().catch((error: unknown) => {
      log.error({ err: error }, 'judging at the start of a day failed')
    })
  }, NEW_DAY_CHECK_MS)
  return {
    stop: () => {
      clearInterval(newDay)
      if (again) clearTimeout(again)
      unlisten()
    },
  }
}

const MOST_READ = 1_000

const Changed = PredictionMessage.extend({
  kind: z.string(),
  mode: VerdictMessage.shape.mode.nullable(),
  outcome: VerdictMessage.shape.outcome.nullable(),
})

/** Changes in prediction histories after an event, and the newest event; no changes if the event is null. */
async function changesAfter(db: Db, event: number | null) {
  const [newest] = await readRows(db, z.object({ id: z.number() }))`
    select coalesce(max(id), 0)::float8 as id from prediction_events`
  const through = newest?.id ?? 0
  const rows = await readRows(db, Changed)`
    select p.id, p.asset, i.slug as expert, e.kind, v.mode, v.outcome
    from prediction_events e
    join predictions p on p.id = e.prediction_id join influencers i on i.id = p.influencer_id
    left join verdicts v on v.id = e.verdict_id
    where e.id > ${event ?? through} and e.id <= ${through} order by e.id limit ${MOST_READ}`
  const isVerdict = (kind: string): boolean => kind === 'changed' || kind === 'overridden'
  return {
    event: through,
    verdicts: rows.flatMap(({ id, asset, kind, mode, outcome }): VerdictMessage[] =>
      isVerdict(kind) && mode && outcome ? [{ id, asset, mode, outcome }] : [],
    ),
    predictions: rows
      .filter(({ kind }) => kind !== 'judged' && !isVerdict(kind))
      .map(({ id, asset, expert }): PredictionMessage => ({ id, asset, expert })),
  }
}
