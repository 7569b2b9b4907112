/** The states of a link in the reading queue (administrator-tools.md §4). */
export const QUEUE_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
export type QueueStatus = (typeof QUEUE_STATUSES)[number]

/** Attempts until a temporary error counts as a permanent one. */
export const MOST_TRIES = 4
/** The most links taken from one pasted list. */
export const MOST_LINKS = 500

/** The step shown for an item that has been read. */
export const READ_STEPS = { found: 'Read', none: 'Read: no prediction' } as const
