import { type AssetKey } from '#domain/asset.ts'
import { forget, notePaid, unpaidOf, type OwnSubmission } from '#web/api/own-submissions.ts'
import { type Paid } from './earlier-paid.tsx'
import { leftOpen, type LeftOpen } from './left-open.ts'

/** Shown before a visitor pays again. */
export const PAID_MEANWHILE =
  'The payment for your earlier submission has arrived in the meantime. To pay for this one as well, please press again.'

/** Enough to find a payment that was given up a moment ago. */
const MOST = 5

/** Submissions of this browser, and what became of their invoices. */
export type EarlierTries = readonly { readonly one: OwnSubmission; readonly left: LeftOpen }[]

/**
 * Looks up what became of the tries of this browser to pay for an asset, and notes what is found. What cannot be found out
 * stays as it is.
 *
 * @param isWanted which ones
 */
export async function lookUpTries(
  asset: AssetKey,
  isWanted: (one: OwnSubmission) => boolean,
  signal: AbortSignal,
): Promise<EarlierTries> {
  const looked = await Promise.all(
    unpaidOf(asset)
      .filter(isWanted)
      .slice(0, MOST)
      .map(async (one) => ({ one, left: await leftOpen(one.token, signal).catch(() => null) })),
  )
  const found = looked.flatMap(({ one, left }) => (left === null ? [] : [{ one, left }]))
  if (signal.aborted) return []
  for (const { one, left } of found) {
    if (left.state === 'paid') notePaid(one.token)
    else if (left.state === 'gone') forget(one.token)
  }
  return found
}

/** A form other than this one that was given up and has been paid all the same; null where there is none. */
export async function paidMeanwhile(
  asset: AssetKey,
  content: string,
  signal: AbortSignal,
): Promise<Paid | null> {
  const found = await lookUpTries(asset, (one) => one.content !== content, signal)
  const paid = found.find(({ left }) => left.state === 'paid')
  return paid ? { token: paid.one.token, what: paid.one.what } : null
}
