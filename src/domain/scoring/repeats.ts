import { type AssetKey } from '#domain/asset.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type Series } from '#domain/judging/series.ts'
import { goalOf, type Direction } from '#domain/judging/verdict.ts'
import { type Side } from './call-filter.ts'

export type StatedCall = {
  readonly id: string
  readonly asset: string
  readonly direction: Direction
  readonly window: { readonly from: Day; readonly to: Day }
  readonly logLevel: number
  /** Expected size of the price move until the deadline, σ√τ; null if unknown. */
  readonly spread: number | null
}

export function repeatsOf(calls: readonly StatedCall[]): ReadonlyMap<string, string> {
  const firsts = new Map<string, StatedCall[]>()
  const repeats = new Map<string, string>()
  for (const call of calls) {
    const key = `${call.asset} ${String(sideOf(call))}`
    const known = firsts.get(key) ?? []
    if (known.length === 0) firsts.set(key, known)
    const first = known.find((one) => isRepeated(one, call))
    if (first) repeats.set(call.id, first.id)
    else known.push(call)
  }
  return repeats
}

/** Whether a call predicts a rising or a falling price; null for neither. */
export function sideOf({ direction }: Pick<StatedCall, 'direction'>): Side | null {
  const { min, max } = goalOf(direction, { min: 1, max: 1 })
  if (max === Infinity) return 'bull'
  return min === 0 ? 'bear' : null
}

function isRepeated(a: StatedCall, b: StatedCall): boolean {
  if (a.window.from > b.window.to || b.window.from > a.window.to) return false
  const apart = Math.abs(a.logLevel - b.logLevel)
  return apart === 0 || apart < Math.min(a.spread ?? 0, b.spread ?? 0) / 2
}

export const AGAIN_DAYS = 365
export const SAME_LEVEL = 0.05

/** The parts of a published prediction that revisions depend on; judged by intraday prices. */
export type RevisedCall = Pick<
  Prediction,
  'id' | 'asset' | 'claim' | 'made' | 'by' | 'deadlineAssumed'
> & {
  readonly expert: Pick<Prediction['expert'], 'id'>
  readonly verdicts: {
    readonly touch: Pick<Prediction['verdicts']['touch'], 'outcome' | 'day' | 'direction'>
  }
}

export type RevisionDecision = {
  readonly earlier: string
  readonly later: string
  /** `cut`: the later one does not revise the earlier one. */
  readonly state: 'confirmed' | 'cut'
}

type RevisionLink = 'confirmed' | 'suggested'

/** A thesis that one person repeated with later deadlines, oldest call first. */
export type RevisionChain<One extends RevisedCall> = {
  readonly calls: readonly [One, One, ...One[]]
  readonly links: readonly RevisionLink[]
  /** Days from the first deadline to the last. */
  readonly days: number
}

/** The first day after its deadline on which the price reached a call's level. */
export type ReachedAfter = (call: RevisedCall) => Day | null

export function revisionChains<One extends RevisedCall>(
  calls: readonly One[],
  decisions: readonly RevisionDecision[],
  reachedAfter: ReachedAfter,
): readonly RevisionChain<One>[] {
  const reachedOn = (call: One): Day | null => {
    const { outcome, day } = call.verdicts.touch
    // An overridden hit has no day; its level counts as reached by the deadline.
    return outcome === 'hit' ? (day ?? call.by) : reachedAfter(call)
  }
  const about = Map.groupBy(decisions, ({ earlier, later }) => pairKey(earlier, later))
  const stateOf = (a: One, b: One) => about.get(pairKey(a.id, b.id))?.at(-1)?.state ?? null
  const thesis = ({ expert, asset, verdicts }: One): string =>
    `${String(expert.id)} ${asset} ${verdicts.touch.direction}`
  return [...Map.groupBy(calls.filter(canBeRevised), thesis).values()]
    .flatMap((group) => chainsOf(group.toSorted(inOrder), stateOf, reachedOn))
    .toSorted((a, b) => b.days - a.days || inOrder(a.calls[0], b.calls[0]))
}

export function reachedAfterIn(seriesOf: (asset: AssetKey) => Series | null): ReachedAfter {
  return ({ asset, claim, by, verdicts }) => {
    const series = seriesOf(asset)
    if (!series) return null
    const from = series.atOrAfter((by + 1) as Day)
    const last = series.bars.length - 1
    const { min, max } = levelsOf(claim)
    const at =
      verdicts.touch.direction === 'up'
        ? series.highs.firstAtLeast(from, last, min)
        : series.lows.firstAtLeast(from, last, -max)
    return series.bars[at]?.day ?? null
  }
}

export function pairKey(earlier: string, later: string): string {
  return JSON.stringify([earlier, later])
}

function canBeRevised({ deadlineAssumed, verdicts }: RevisedCall): boolean {
  const { direction, outcome } = verdicts.touch
  return (direction === 'up' || direction === 'down') && outcome !== 'void' && !deadlineAssumed
}

function inOrder(a: RevisedCall, b: RevisedCall): number {
  return a.made - b.made || a.by - b.by || (a.id < b.id ? -1 : 1)
}

/** @param group calls of one person, asset and side, in order */
function chainsOf<One extends RevisedCall>(
  group: readonly One[],
  stateOf: (earlier: One, later: One) => RevisionDecision['state'] | null,
  reachedOn: (call: One) => Day | null,
): readonly RevisionChain<One>[] {
  const next = new Map<One, { readonly call: One; readonly link: RevisionLink }>()
  const follows = new Set<One>()
  for (const link of ['confirmed', 'suggested'] as const) {
    for (const [at, call] of group.entries()) {
      if (follows.has(call)) continue
      const before = group.slice(0, at).findLast((one) => {
        const state = stateOf(one, call)
        const isOffered = link === 'confirmed' ? state === 'confirmed' : state === null
        return isOffered && !next.has(one) && isRevision(one, call, reachedOn)
      })
      if (!before) continue
      next.set(before, { call, link })
      follows.add(call)
    }
  }
  return group.flatMap((first) => {
    const step = next.get(first)
    if (!step || follows.has(first)) return []
    const calls: [One, One, ...One[]] = [first, step.call]
    const links = [step.link]
    let last = step.call
    for (let after = next.get(last); after; after = next.get(last)) {
      calls.push(after.call)
      links.push(after.link)
      last = after.call
    }
    return [{ calls, links, days: last.by - first.by }]
  })
}

function isRevision<One extends RevisedCall>(
  before: One,
  now: One,
  reachedOn: (call: One) => Day | null,
): boolean {
  if (before.made >= now.made || before.by >= now.by) return false
  if (now.made > before.by + AGAIN_DAYS || !isSameLevel(before, now)) return false
  const reached = reachedOn(before)
  return reached === null || reached > now.made
}

function isSameLevel(a: RevisedCall, b: RevisedCall): boolean {
  const edge = a.verdicts.touch.direction === 'up' ? 'min' : 'max'
  const [one, other] = [levelsOf(a.claim)[edge], levelsOf(b.claim)[edge]]
  return Math.abs(one - other) <= SAME_LEVEL * Math.max(one, other)
}
