import { type AssetKey } from '#domain/asset.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type Series } from '#domain/judging/series.ts'

/** A level that is said again later than this after its deadline is a new call. */
export const AGAIN_DAYS = 365
/** Levels no farther apart than this share of the higher one are the same: rounding to two figures moves none farther. */
export const SAME_LEVEL = 0.05

/** A published prediction, as far as it may be a revision of another one; judged by intraday prices. */
export type RevisedCall = Pick<
  Prediction,
  'id' | 'asset' | 'claim' | 'made' | 'by' | 'deadlineAssumed'
> & {
  readonly expert: Pick<Prediction['expert'], 'id'>
  readonly verdicts: {
    readonly touch: Pick<Prediction['verdicts']['touch'], 'outcome' | 'day' | 'direction'>
  }
}

/** What an administrator has decided about two calls, by their ids. */
export type RevisionDecision = {
  readonly earlier: string
  readonly later: string
  /** `cut`: the later one is no revision of the earlier one. */
  readonly state: 'confirmed' | 'cut'
}

/** Why a call counts as a revision of the one before it: a person has confirmed it, or only the rule says so. */
type RevisionLink = 'confirmed' | 'suggested'

/** One thesis of one person that was said again with later deadlines, oldest call first. */
export type RevisionChain<One extends RevisedCall> = {
  readonly calls: readonly [One, One, ...One[]]
  /** One fewer than calls: each leads to the next call. */
  readonly links: readonly RevisionLink[]
  /** Days from the first deadline to the last. */
  readonly days: number
}

/** The first day after its deadline on which the price was at the level of a call; null when it was not until now. */
export type ReachedAfter = (call: RevisedCall) => Day | null

/**
 * Chains of revisions. Links that were confirmed come first, and hold while the rule still allows them; each other call
 * follows the last one that it can be a revision of, and that no other call follows yet. A pair that was cut is not linked.
 *
 * @param reachedAfter is asked for calls that were not hits
 * @returns the longest delay first
 */
export function revisionChains<One extends RevisedCall>(
  calls: readonly One[],
  decisions: readonly RevisionDecision[],
  reachedAfter: ReachedAfter,
): readonly RevisionChain<One>[] {
  const reached = new Map<string, Day | null>()
  const reachedOn = (call: One): Day | null => {
    const known = reached.get(call.id)
    if (known !== undefined) return known
    const { outcome, day } = call.verdicts.touch
    // A hit that was set by hand has no day: its level was reached by its deadline at the latest.
    const found = outcome === 'hit' ? (day ?? call.by) : reachedAfter(call)
    reached.set(call.id, found)
    return found
  }
  const about = Map.groupBy(decisions, ({ earlier, later }) => pairKey(earlier, later))
  const stateOf = (a: One, b: One) => about.get(pairKey(a.id, b.id))?.at(-1)?.state ?? null
  const thesis = ({ expert, asset, verdicts }: One): string =>
    `${String(expert.id)} ${asset} ${verdicts.touch.direction}`
  return [...Map.groupBy(calls.filter(canBeRevised), thesis).values()]
    .flatMap((group) => chainsOf(group.toSorted(inOrder), stateOf, reachedOn))
    .toSorted((a, b) => b.days - a.days || inOrder(a.calls[0], b.calls[0]))
}

/** What of a series {@link revisionChains} asks for. */
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

/** A name for two calls in this order. */
export function pairKey(earlier: string, later: string): string {
  return JSON.stringify([earlier, later])
}

/** Only a level that is to be reached has a deadline that can be moved, and only one that the person named. */
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

/** Whether a call says the level of an earlier one again, with a later deadline, before it was reached. */
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

/** By the level that decides: of a range, the edge that is reached first. */
function isSameLevel(a: RevisedCall, b: RevisedCall): boolean {
  const edge = a.verdicts.touch.direction === 'up' ? 'min' : 'max'
  const [one, other] = [levelsOf(a.claim)[edge], levelsOf(b.claim)[edge]]
  return Math.abs(one - other) <= SAME_LEVEL * Math.max(one, other)
}
