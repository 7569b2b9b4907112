import { useCallback, useEffect, useState } from 'react'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { fetchReceipt, followReceipt, type Receipt } from '#web/api/payments.ts'
import { type Loading } from '#web/ui/loading.ts'

export type ReceiptState = Loading<Receipt> | { readonly state: 'unknown' }

/** The pause between fetches of an unfinished receipt where events are blocked. */
const ASK_MS = 15_000

/** A receipt kept up to date, and a function that fetches it at once. */
export function useReceipt(token: string): readonly [ReceiptState, ask: () => void] {
  const [shown, setShown] = useState<ReceiptState>({ state: 'pending' })
  const [attempt, setAttempt] = useState(0)

  const askAgain = useCallback(() => setAttempt((count) => count + 1), [])

  useEffect(() => {
    const leave = new AbortController()
    const show = (data: Receipt): void => setShown({ state: 'ready', data })
    const ask = (): void => {
      fetchReceipt(token, leave.signal).then(show, (error: unknown) => {
        if (leave.signal.aborted) return
        if (error instanceof CallError && error.code === 'not_found') {
          setShown({ state: 'unknown' })
          return
        }
        // What was shown before outlives a failed look.
        setShown((before) =>
          before.state === 'ready'
            ? before
            : {
                state: 'failed',
                message: sentenceOf(error),
                retry: askAgain,
              },
        )
      })
    }
    ask()
    const unfollow = followReceipt(token, show)
    const timer = setInterval(() => {
      if (!document.hidden) ask()
    }, ASK_MS)
    return () => {
      leave.abort()
      unfollow()
      clearInterval(timer)
    }
  }, [token, attempt, askAgain])

  return [shown, askAgain]
}
