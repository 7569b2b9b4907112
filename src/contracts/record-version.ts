import { z } from 'zod'

/**
 * A version of the record, as the id of an event of the stream or the data of a page names it: the answer is no older, from
 * whichever process or cache it comes.
 */
export const RecordVersion = z.string().max(64, 'Please take it from the id of an event.')
