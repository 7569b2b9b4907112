/** Where a link stands that waits for being read (administrator-tools.md §4). */
export const QUEUE_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
export type QueueStatus = (typeof QUEUE_STATUSES)[number]

/** Tries until a fault that may pass counts as one that stays. */
export const MOST_TRIES = 4
/** Links taken out of one pasted list. */
export const MOST_LINKS = 500

/** What is told of an item that has been read. */
export const READ_STEPS = { found: 'Read', none: 'Read: no prediction' } as const
