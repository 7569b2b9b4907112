import { type AssetKey } from '#domain/asset.ts'
import { isCloseOnly, type Bar } from '#domain/judging/bar.ts'
import { type Day } from '#domain/day.ts'
import { farPrice } from '#domain/judging/jump.ts'
import { disagreement } from '#domain/judging/known-range.ts'
import { type RecordedBar } from '#domain/judging/settle.ts'
import {
  judgeRanges,
  previewRanges,
  type RangeEffect,
} from '#server/judging/range-known.service.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { today } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { createHash } from 'node:crypto'
import { agreedBars, barsBetween, loadBars, outsideNames, saveBars } from './bars.rows.ts'
import {
  addRound,
  barsApart,
  clearApart,
  refuseBars,
  type DeeperRound,
  type RefusedBar,
} from './deeper-history.rows.ts'

/** What the bars that wait beside the record would do to it. */
export type DeeperPlan = RangeEffect & {
  readonly days: number
  readonly from: Day
  readonly to: Day
  /** Of all bars and changes, so that what is published is what was seen. */
  readonly digest: string
}

type Sorted = {
  readonly used: readonly Bar[]
  readonly refused: readonly RefusedBar[]
  readonly recorded: readonly RecordedBar[]
}

const STILL_ASKED =
  'Some sources have not answered yet; what they give may change the summary. Please wait until they have.'
const SEEN_OTHER =
  'Prices or predictions have changed since this summary was made. Please look at the new one first.'

/** What would change if the bars that wait were published; null when none of them can be used. */
export async function previewDeeper(
  kit: Pick<Kit, 'db' | 'clock'>,
  asset: AssetKey,
): Promise<DeeperPlan | null> {
  const { db } = kit
  const { used, recorded } = await sortApart(db, asset)
  const days = new Set(used.map((bar) => bar.day))
  const span = spanOf(days)
  if (!span) return null
  const added = used.map((bar): RecordedBar => ({ ...bar, state: 'final' }))
  const outside = new Set([...(await outsideNames(db, asset)), ...added.map((bar) => bar.source)])
  const changed = agreedBars(asset, [...recorded, ...added].toSorted(byDay), outside)
  const byNewDay = new Map(changed.map((bar) => [bar.day, bar]))
  const bars = (await loadBars(db, asset)).map((bar) => byNewDay.get(bar.day) ?? bar)
  const effect = await previewRanges(db, asset, today(kit), { days, bars })
  return { ...effect, days: days.size, ...span, digest: digestOf(used, effect) }
}

/**
 * Brings the bars that wait into the record, in one transaction with the verdicts that change by them.
 *
 * @param isComplete whether no source can still bring something, asked where no other writer is at work
 * @param by the administrator who saw a summary, and its digest; null for the site itself
 * @returns null when none of them can be used
 * @throws a failure `conflict` when it came to something else than what was seen, or an administrator came too early
 */
export async function publishDeeper(
  kit: Pick<Kit, 'db' | 'clock'>,
  asset: AssetKey,
  {
    isComplete,
    by,
  }: {
    readonly isComplete: (tx: Db) => Promise<boolean>
    readonly by: { readonly admin: Admin; readonly seen: string } | null
  },
): Promise<DeeperRound | null> {
  return kit.db.transaction(async (tx) => {
    await takeTurn(tx)
    const { used, refused } = await sortApart(tx, asset)
    if (!(await isComplete(tx))) {
      if (by && used.length > 0) throw failure('conflict', STILL_ASKED)
      return null
    }
    await refuseBars(tx, asset, refused)
    await clearApart(tx, asset)
    const days = new Set(used.map((bar) => bar.day))
    const span = spanOf(days)
    if (!span) return null
    await saveBars(tx, asset, used)
    const { written: _, ...effect } = await judgeRanges(tx, asset, today(kit), days)
    if (by && by.seen !== digestOf(used, effect)) throw failure('conflict', SEEN_OTHER)
    const at = kit.clock.now()
    const publishedBy = by?.admin.username ?? null
    const round = {
      asset,
      publishedAt: at,
      publishedBy,
      days: days.size,
      ...span,
      ...effect,
    }
    await addRound(tx, round)
    if (by) {
      await writeAudit(tx, {
        at: new Date(at).toISOString(),
        admin: by.admin,
        action: 'daily ranges published',
        subject: { kind: 'prices', id: asset },
        after: { days: days.size, verdicts: effect.changed },
      })
    }
    await recordChanged(tx, { prices: true })
    return round
  })
}

/** Sorts the bars that wait: venues that disagree on a day leave it as it was. */
async function sortApart(db: Db, asset: AssetKey): Promise<Sorted> {
  const { bars, refusedOn } = await barsApart(db, asset)
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return { used: [], refused: [], recorded: [] }
  const recorded = await barsBetween(db, asset, first.day, last.day)
  const onRecord = Map.groupBy(recorded, (bar) => bar.day)
  const outside = await outsideNames(db, asset)
  const closes = agreedBars(asset, recorded, outside)
  const closeBefore = new Map(closes.map((one, i) => [one.day, closes[i - 1]?.close ?? null]))
  const used: Bar[] = []
  const refused: RefusedBar[] = []
  for (const [day, given] of Map.groupBy(bars, (bar) => bar.day)) {
    const own = (onRecord.get(day) ?? []).filter((bar) => !isCloseOnly(bar))
    // A file that was imported meanwhile is believed as it is.
    if (own.some((bar) => !outside.has(bar.source))) continue
    const fresh = given.filter((bar) => own.every(({ source }) => source !== bar.source))
    const reason =
      disagreement([...own, ...fresh], refusedOn.get(day) ?? 0) ??
      rangeDoubt(asset, [...own, ...fresh], closeBefore.get(day) ?? null)
    if (reason === null) used.push(...fresh)
    else refused.push(...fresh.map(({ source }) => ({ day, source, reason })))
  }
  return { used, refused, recorded }
}

/** Why nobody but a person may bring such a range into the record; null where it needs nobody. */
function rangeDoubt(asset: AssetKey, full: readonly Bar[], before: number | null): string | null {
  const recorded = full.map((bar): RecordedBar => ({ ...bar, state: 'final' }))
  const [agreed] = agreedBars(asset, recorded, new Set(full.map(({ source }) => source)))
  const usd = agreed ? farPrice(agreed, before) : null
  if (usd === null) return null
  return `Its price of ${String(usd)} is more than 40 % from the closes beside it; import the day from a file if it is right.`
}

function digestOf(used: readonly Bar[], effect: RangeEffect): string {
  const bars = used.map(({ day, source, open, high, low, close }) => {
    return [day, source, open, high, low, close]
  })
  const { changes, changed, completed } = effect
  const content = JSON.stringify([bars, changes, changed, completed])
  return createHash('sha256').update(content).digest('base64url')
}

function spanOf(days: ReadonlySet<Day>): { from: Day; to: Day } | null {
  const sorted = [...days].toSorted((a, b) => a - b)
  const [from, to] = [sorted[0], sorted.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}

function byDay(a: Bar, b: Bar): number {
  return a.day - b.day
}
