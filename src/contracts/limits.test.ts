import { expect, it } from 'vitest'
import { type z } from 'zod'
import { createToken, login } from './accounts.ts'
import { editPublished, listPublished, editExpert } from './corrections.ts'
import { dashboardPart } from './dashboard.ts'
import { followByMail } from './following.ts'
import { lnurlInvoice } from './lightning-address.ts'
import { oembed, listSnapshots } from './open-data.ts'
import { markPaymentHandled } from './operations.ts'
import { setReceiptContact } from './payments.ts'
import { addToTweetQueue, extractTweet } from './posts.ts'
import { btcPredictions } from './predictions.ts'
import { LiveEventsQuery } from './prices.ts'
import { createPost, postTweet } from './publishing.ts'
import { enterReply, sendReply } from './replies.ts'
import { declineReport, fileReport } from './reports.ts'
import { bulkReject, searchSubmissions } from './review.ts'
import { search } from './search.ts'
import { previewSubmission } from './submissions.ts'

/** Upper limits of each call: characters, entries of a list, or a number. */
const LIMITS: readonly (readonly [z.ZodType | undefined, Readonly<Record<string, number>>])[] = [
  [search.query, { q: 100 }],
  [btcPredictions.query, { limit: 500, cursor: 400 }],
  [dashboardPart.query, { experts: 2_000, q: 200, hq: 200, on: 8_000, v: 64 }],
  [LiveEventsQuery, { receipt: 5 }],
  [oembed.query, { url: 2_000, maxwidth: 10_000, maxheight: 10_000 }],
  [listSnapshots.query, { page: 100_000 }],
  [previewSubmission.body, { receipts: 50, 'submissionData.notes': 20_000 }],
  [fileReport.body, { explanation: 8_000, source: 8_000, other: 2_000 }],
  [sendReply.body, { text: 20_000, link: 2_000 }],
  [followByMail.body, { email: 320, subject: 200 }],
  [setReceiptContact.body, { contact: 3_000 }],
  [lnurlInvoice.query, { amount: 20, comment: 16_000, nostr: 16_000 }],
  [login.body, { username: 64, password: 256, code: 40 }],
  [createToken.body, { name: 80, days: 365 }],
  [searchSubmissions.query, { q: 200, after: 1_000, before: 1_000, size: 200 }],
  [bulkReject.body, { ids: 200, reason: 20_000 }],
  [listPublished.query, { q: 200, page: 1_000_000 }],
  [editPublished.body, { quote: 5_000, remarks: 5_000, sources: 100, reports: 50, reason: 1_000 }],
  [editExpert.body, { name: 120, aliases: 40, handles: 20, npubs: 5 }],
  [markPaymentHandled.body, { note: 1_000 }],
  [declineReport.body, { answer: 500 }],
  [enterReply.body, { page: 2_000, note: 1_000 }],
  [extractTweet.body, { url: 2_500, text: 25_000, author: 200, posted: 40 }],
  [addToTweetQueue.body, { urls: 500 }],
  [createPost.body, { x_text: 30_000, pictures: 4, zone: 60 }],
]

type Issue = { readonly code: string; readonly errors?: readonly (readonly Issue[])[] }
const isTooBig = ({ code, errors = [] }: Issue): boolean =>
  code === 'too_big' || errors.some((ways) => ways.some(isTooBig))

/** A number, a text of this length or a list of this length: values of another type are not too big. */
function sized(count: number): unknown[] {
  const texts = count > 100_000 ? [] : ['x'.repeat(count)]
  return [count, ...texts, ...(count > 1_000 ? [] : [Array<string>(count).fill('x')])]
}

it.each(
  LIMITS.flatMap(([schema, limits]) =>
    Object.entries(limits).map(([field, most]) => [field, most, schema] as const),
  ),
)('a call takes %s up to %i', (field, most, schema) => {
  const refused = [most, most + 1].map((count) =>
    sized(count).some((value) => {
      const input = field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
      return ((schema?.safeParse(input).error?.issues ?? []) as readonly Issue[]).some(isTooBig)
    }),
  )
  expect(refused).toEqual([false, true])
})

it('calls that try passwords, cost money or fetch posts are limited a minute', () => {
  const calls = [login, createToken, sendReply, fileReport, postTweet, lnurlInvoice]
  expect(calls.map(({ callsAMinute }) => callsAMinute)).toEqual([30, 30, 10, 20, 20, 60])
})
