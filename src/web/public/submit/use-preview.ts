import { useEffect, useMemo, useState } from 'react'
import { type SubmissionForm } from '#contracts/submissions.ts'
import { type Day } from '#domain/day.ts'
import { payloadOf, type SubmissionFields } from '#domain/submission.ts'
import { fetchCloses } from '#web/api/closes.ts'
import { fetchPreview, type SubmissionPreview } from '#web/api/payments.ts'
import { type Prices } from '#web/api/prices.ts'
import { previewOf, submissionOf } from './previewed.ts'

/** The server is asked once the typing rests. */
const REST_MS = 400

export const NOTHING_WAITS: SubmissionPreview['waiting'] = { own: [], others: false }

export type Preview = ReturnType<typeof previewOf> & {
  readonly prices: Prices | null
  /** Published predictions that say the same. */
  readonly duplicates: SubmissionPreview['duplicates']
  /** Submissions that say the same and are not published. */
  readonly waiting: SubmissionPreview['waiting']
}

/** What the form would become, as far as that is known; null while something is wrong with it. */
export function usePreview(form: SubmissionForm, today: Day): Preview | null {
  const [prices, setPrices] = useState<Prices | null>(null)
  const [answer, setAnswer] = useState<{ key: string; preview: SubmissionPreview } | null>(null)
  const { asset_type: asset } = form

  // These fields do not change the prediction.
  const payload = useMemo<SubmissionFields>(
    () => payloadOf({ ...form, submitter_email: '', notes: '', source_url: '', nostr_npub: '' }),
    [form],
  )
  const key = JSON.stringify(payload)
  const submission = useMemo(() => submissionOf(form, today), [form, today])
  const isFine = submission !== null

  useEffect(() => {
    const leave = new AbortController()
    // Without prices the preview has the rule but no picture.
    fetchCloses(asset, null, leave.signal).then(setPrices, () => undefined)
    return () => leave.abort()
  }, [asset])

  useEffect(() => {
    if (!isFine) return
    const leave = new AbortController()
    const timer = setTimeout(() => {
      const asked = JSON.parse(key) as SubmissionFields
      fetchPreview(asked, leave.signal).then(
        (preview) => setAnswer({ key, preview }),
        // The form can be sent without it.
        () => undefined,
      )
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [key, isFine])

  return useMemo(() => {
    if (!submission) return null
    const current = answer?.key === key ? answer.preview : null
    return {
      ...previewOf(submission, prices, current),
      prices,
      duplicates: current?.duplicates ?? [],
      waiting: current?.waiting ?? NOTHING_WAITS,
    }
  }, [submission, prices, answer, key])
}
