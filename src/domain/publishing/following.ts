import { DAY_MS } from '#domain/day.ts'
export const FOLLOWED_KINDS = ['person', 'asset', 'prediction'] as const
export type FollowedKind = (typeof FOLLOWED_KINDS)[number]

/** How often news is sent: as they come, or gathered. */
export const EVERY = ['now', 'day', 'week'] as const
export type Every = (typeof EVERY)[number]

export const FOLLOW_CHANNELS = ['email', 'push'] as const
export type FollowChannel = (typeof FOLLOW_CHANNELS)[number]

const MINUTE_MS = 60_000
/** Minimum interval between immediate messages: changes made together are one message. */
const NOW_PAUSE_MS = 10 * MINUTE_MS
/** Digests leave in the morning of Europe, UTC. */
const HOUR = 7
const MONDAY = 1

/** When the next message may be made after one at `now`. */
export function nextDue(every: Every, now: number): number {
  if (every === 'now') return now + NOW_PAUSE_MS
  const at = new Date(now)
  let due = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), HOUR)
  while (due <= now || (every === 'week' && new Date(due).getUTCDay() !== MONDAY)) due += DAY_MS
  return due
}

/** When the first message may be made for someone who begins to follow at `now`. */
export function firstDue(every: Every, now: number): number {
  return every === 'now' ? now : nextDue(every, now)
}

/** How many days before its deadline followers are reminded of an open prediction. */
export const REMIND_DAYS = 7

/** The events a submitter is notified of, each once. */
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
  /** Refused for good, or tried too often. */
  'failed',
  /** The process died while paying: it may have been delivered, and is not paid again. */
  'unknown',
] as const

/** A decision can be undone for some seconds, so notices wait this long. */
export const NOTIFY_AFTER_MS = 15_000
