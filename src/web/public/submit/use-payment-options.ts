import { useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { fetchOptions, type PaymentOptions } from '#web/api/payments.ts'

const CHECKED_AGAIN_MS = 3_000

/** How this site takes sats, asked again while its wallet is being checked; null until it is known. */
export function usePaymentOptions(): readonly [
  PaymentOptions | null,
  Dispatch<SetStateAction<PaymentOptions | null>>,
] {
  const [options, setOptions] = useState<PaymentOptions | null>(null)

  useEffect(() => {
    const leave = new AbortController()
    fetchOptions(leave.signal).then(setOptions, () => {
      // The form can be filled in meanwhile; it is asked again before paying.
    })
    return () => leave.abort()
  }, [])

  useEffect(() => {
    if (!options?.checking) return
    const leave = new AbortController()
    const timer = setTimeout(() => {
      // Where there is no answer, a copy of what was known asks again.
      const asAnswered = (now: PaymentOptions): void => {
        if (!leave.signal.aborted) setOptions(now)
      }
      fetchOptions(leave.signal).then(asAnswered, () => asAnswered({ ...options }))
    }, CHECKED_AGAIN_MS)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [options])

  return [options, setOptions]
}
