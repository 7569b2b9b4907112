/** What a submitter is told of; each once. */
export const NOTICE_EVENTS = [
  /** The address is asked first whether it wants to be told. */
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
  /** The process died while paying: it may have been delivered, and is not paid for twice. */
  'unknown',
] as const
export type NoticeStatus = (typeof NOTICE_STATUSES)[number]

/** A decision can be taken back for some seconds: until this long after it nobody is told. */
export const TELL_AFTER_MS = 15_000
