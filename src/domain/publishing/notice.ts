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
