import { queryOptions } from '@tanstack/react-query'
import { type z } from 'zod'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { extractionAccuracy, extractTweet, type AdminSubmission } from '#contracts/posts.ts'
import { submitBtc, submitMstr, submitNaka } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { adminCall } from '#web/api/admin-call.ts'

/** What is to be read: a link, or pasted text with what is known beside it. */
export type ReadAsk = {
  readonly url?: string
  readonly text?: string
  readonly author?: string
  readonly posted?: string
  readonly refetch?: boolean
}

/** A model reads twice, each time with tries of its own. */
const READ_PATIENCE_MS = 150_000

/** @throws CallError whose message says why there is no reading */
export async function readPost(ask: ReadAsk, signal: AbortSignal): Promise<TweetExtraction> {
  const { data } = await adminCall(extractTweet, {
    body: ask,
    signal,
    patienceMs: READ_PATIENCE_MS,
  })
  return data
}

const ROUTES = { btc: submitBtc, mstr: submitMstr, naka: submitNaka } as const

/** @throws CallError with a message for each field that is wrong */
export function submitDecision(
  asset: AssetKey,
  body: AdminSubmission,
): Promise<z.infer<(typeof submitBtc)['reply']>> {
  return adminCall(ROUTES[asset], { body })
}

export function accuracyQuery() {
  return queryOptions({
    queryKey: ['extraction-accuracy'],
    queryFn: ({ signal }) => adminCall(extractionAccuracy, { signal }),
  })
}
export type Accuracy = z.infer<(typeof extractionAccuracy)['reply']>
