import { DAY_MS } from '#domain/day.ts'
export const FOLLOWED_KINDS = ['person', 'asset', 'prediction'] as const
export type FollowedKind = (typeof FOLLOWED_KINDS)[number]

/** How often news is sent: immediately, or as a digest. */
export const EVERY = ['now', 'day', 'week'] as const
export type Every = (typeof EVERY)[number]

export const FOLLOW_CHANNELS = ['email', 'push'] as const
export type FollowChannel = (typeof FOLLOW_CHANNELS)[number]

const MINUTE_MS = 60_000
/** Minimum interval between immediate messages, so that changes made together are one message. */
const NOW_PAUSE_MS = 10 * MINUTE_MS
/** Digests are sent in the European morning; hour in UTC. */
const HOUR = 7
const MONDAY = 1

/** When the next message is due after one at `now`. */
export function nextDue(every: Every, now: number): number {
  if (every === 'now') return now + NOW_PAUSE_MS
  const at = new Date(now)
  let due = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), HOUR)
  while (due <= now || (every === 'week' && new Date(due).getUTCDay() !== MONDAY)) due += DAY_MS
  return due
}

/** When the first message is due for a follower who begins at `now`. */
export function firstDue(every: Every, now: number): number {
  return every === 'now' ? now : nextDue(every, now)
}

/** Followers are reminded of an open prediction this many days before its deadline. */
export const REMIND_DAYS = 7

/** Events that a submitter is notified of, each once. */
export const NOTICE_EVENTS = [
  /** Asks the owner of the address to confirm before anything else is sent. */
  'confirm',
  'approved',
  'rejected',
  'verdict:hit',
  'verdict:miss',
  'verdict:void',
] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

export const NOTICE_STATUSES = [
  'waiting',
  'sending',
  'sent',
  /** Permanently rejected, or out of retries. */
  'failed',
  /** The process died while paying: it may have been paid, and is not paid again. */
  'unknown',
] as const

/** Decisions can be undone for some seconds, so notices are delayed. */
export const NOTIFY_AFTER_MS = 15_000
