import { type SocialPost, type SocialResult } from '#contracts/publishing.ts'
import { ONCE_ONLY, platformText, type SocialNetwork } from '#domain/publishing/social-post.ts'

/** How an outcome is shown: its colour and sign, what to say first, and what to say below. */
export type OutcomeView = {
  readonly tone: 'good' | 'part' | 'bad' | 'open' | 'doubt'
  /** In lists, in a word or two. */
  readonly badge: string
  readonly title: string
  readonly text: string | null
}

export function networkName(network: SocialNetwork): string {
  return platformText([network])
}

/** Whether some network is being written to right now. */
export function isUnderWay(post: SocialPost): boolean {
  return (
    post.state === 'sending' &&
    post.results.some((one) => one.state === 'sending' || isWaitingNow(one))
  )
}

/** Whether somebody has to look after it: an outcome is not known, or a failure was not left as it is. */
export function needsHelp({ results, left_at: left }: SocialPost): boolean {
  return results.some(({ state }) => state === 'unknown' || (state === 'failed' && left === null))
}

/** Its turn comes at once: it was not tried yet. */
function isWaitingNow({ state, attempts }: SocialResult): boolean {
  return state === 'waiting' && attempts === 0
}

/** How many relays have a note, of how many. */
export function relayCount(result: SocialResult): { readonly taken: number; readonly all: number } {
  const relays = result.relays ?? []
  const taken = relays.filter(({ state }) => state === 'accepted' || state === 'already').length
  return { taken, all: relays.length }
}

/**
 * An outcome in words (administrator-tools.md §8).
 *
 * @param showTime shows a moment in the browser's time zone
 */
export function outcomeView(result: SocialResult, showTime: (iso: string) => string): OutcomeView {
  const { network, state, error, next_try_at: next, known_at: known } = result
  const name = networkName(network)
  const again = next === null ? null : `The server tries again at ${showTime(next)}.`
  switch (state) {
    case 'posted': {
      const { taken, all } = relayCount(result)
      const isPart = taken < all
      const title =
        network === 'nostr'
          ? `Posted to ${String(taken)}/${String(all)} relays`
          : 'Posted successfully!'
      return {
        tone: isPart ? 'part' : 'good',
        badge: isPart ? `${String(taken)} of ${String(all)} relays` : 'posted',
        title,
        text: again,
      }
    }
    case 'failed':
      return {
        tone: 'bad',
        badge: 'failed',
        title: `Failed to post to ${name}`,
        text: [`Error: ${error ?? 'no reason was given'}`, again].filter(Boolean).join(' '),
      }
    case 'unknown':
      return {
        tone: 'doubt',
        badge: 'unknown',
        title: `We don’t know whether this is on ${name}`,
        text: error,
      }
    case 'waiting':
      return isWaitingNow(result)
        ? { ...UNDER_WAY, title: `Posting to ${name}…`, text: null }
        : {
            ...UNDER_WAY,
            title: `Waiting for ${name}`,
            text: [error, again].filter(Boolean).join(' '),
          }
    case 'sending':
      if (known === null) return { ...UNDER_WAY, title: `Posting to ${name}…`, text: null }
      return {
        tone: 'doubt',
        badge: 'interrupted',
        title: `Posting to ${name} was interrupted`,
        text: `The server stopped while it was sending this. What became of it is known at ${showTime(known)}.`,
      }
  }
}

const UNDER_WAY = { tone: 'open', badge: 'under way' } as const

/** A post as a whole: its state in a word, with a colour and a sign. The worst outcome counts. */
export function postView(post: SocialPost): {
  readonly word: string
  readonly tone: OutcomeView['tone'] | 'planned'
  readonly sign: string
} {
  const { state, results } = post
  if (state === 'scheduled') return { word: 'planned', tone: 'planned', sign: '◷' }
  if (state === 'missed') return { word: 'missed', tone: 'doubt', sign: '!' }
  const views = results.map((one) => outcomeView(one, String))
  const worst = WORST_FIRST.map((tone) => views.find((one) => one.tone === tone)).find(Boolean)
  const { tone, badge } = worst ?? UNDER_WAY
  return { word: badge, tone, sign: SIGNS[tone] }
}

const WORST_FIRST = ['bad', 'doubt', 'open', 'part', 'good'] as const

/** The signs of outcomes, which are not told apart by colour alone. */
export const SIGNS = { good: '✓', part: '◐', bad: '✕', open: '…', doubt: '?' } as const

/** Whether a failure still waits for a decision, and nothing is in doubt. */
export function mayBeLeft({ results, left_at: left }: SocialPost): boolean {
  const has = (state: SocialResult['state']): boolean => results.some((one) => one.state === state)
  return left === null && has('failed') && !has('unknown')
}

/** `1 missed its time, 2 failed, 1 possibly posted`: why posts wait for a decision. */
export function kindsToDecide(posts: readonly SocialPost[]): string {
  const inDoubt = ({ results }: SocialPost) => results.some(({ state }) => state === 'unknown')
  const missed = posts.filter(({ state }) => state === 'missed').length
  const unknown = posts.filter(inDoubt).length
  return [
    { n: missed, words: 'missed its time', many: 'missed their time' },
    { n: posts.length - missed - unknown, words: 'failed', many: 'failed' },
    { n: unknown, words: 'possibly posted', many: 'possibly posted' },
  ]
    .filter(({ n }) => n > 0)
    .map(({ n, words, many }) => `${String(n)} ${n === 1 ? words : many}`)
    .join(', ')
}

/** The colours of outcomes in lists. */
export const TAG_TONES = {
  good: 'good',
  part: 'wait',
  bad: 'bad',
  open: undefined,
  doubt: 'wait',
} as const

/** How a relay's answer is shown. */
export const RELAY_WORDS: Readonly<
  Record<NonNullable<SocialResult['relays']>[number]['state'], string>
> = {
  accepted: 'accepted',
  already: 'had it already',
  later: 'not yet',
  refused: 'refused',
}

/** Whether the server would send a part of the post once more, and surely not twice. */
export function mayTryAgain(result: SocialResult): boolean {
  if (result.state === 'failed') return true
  if (result.state === 'unknown') return !ONCE_ONLY.includes(result.network)
  if (result.state !== 'posted') return false
  return (result.relays ?? []).some(({ state }) => state === 'later')
}
