import { type TweetExtraction, type extractionAccuracy } from '#contracts/posts.ts'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Db } from '#server/kit/db.ts'
import {
  countDecisions,
  decisionsOnPost,
  keptFields,
  type DecidedBefore,
} from './extractions.store.ts'

/** The fields that a draft fills and a decision settles. */
export const Decision = z.object({
  expert_name: z.string().nullable(),
  twitter_handle: z.string().nullable(),
  asset_type: z.string().nullable(),
  prediction_type: z.string().nullable(),
  price_target: z.number().nullable(),
  price_min: z.number().nullable(),
  price_max: z.number().nullable(),
  target_time: z.string().nullable(),
  prediction_made: z.string().nullable(),
})
export type Decision = z.infer<typeof Decision>

/** The drafted fields of each prediction of a post, the main one first. */
export function cardsOf(extraction: TweetExtraction): readonly Decision[] {
  return [
    Decision.parse(extraction),
    ...extraction.others.map((one) => Decision.parse({ ...extraction, ...one })),
  ]
}

/** What has been submitted of which prediction of a post, oldest first. */
export async function decidedCards(
  db: Db,
  extraction: TweetExtraction,
): Promise<readonly (DecidedBefore & { readonly card: number })[]> {
  const cards = cardsOf(extraction)
  const said = cards.map(predicted)
  return (await decisionsOnPost(db, extraction.extraction_id)).map((one) => {
    const draft = Decision.safeParse(one.draft)
    const was = draft.success ? predicted(draft.data) : null
    // Of a draft that no longer looks like any, the main prediction is the likeliest.
    return {
      ...one,
      card: Math.max(
        0,
        said.findIndex((now) => isDeepStrictEqual(now, was)),
      ),
    }
  })
}

/** A post that is read again may have another name or day; its predictions are the same. */
const Predicted = Decision.omit({
  expert_name: true,
  twitter_handle: true,
  prediction_made: true,
})

function predicted(decision: Decision): z.infer<typeof Predicted> {
  return Predicted.parse(decision)
}

/** How many of the drafted fields were left as they were. */
export async function accuracy(db: Db): Promise<z.input<typeof extractionAccuracy.reply>> {
  const all = (await keptFields(db)).map((one) => ({
    ...one,
    share: one.decided === 0 ? 0 : one.kept / one.decided,
  }))
  const none = { decided: 0, kept: 0, share: 0 }
  return {
    decisions: await countDecisions(db),
    total: all.find(({ field, method }) => field === null && method === null) ?? none,
    fields: all.flatMap(({ field, method, ...one }) =>
      field !== null && method === null ? [{ field, ...one }] : [],
    ),
    methods: all.flatMap(({ field, method, ...one }) =>
      field === null && method !== null ? [{ method, ...one }] : [],
    ),
    months: all.flatMap(({ field, method, month, ...one }) =>
      field !== null && method !== null && month !== null ? [{ field, method, month, ...one }] : [],
    ),
  }
}
