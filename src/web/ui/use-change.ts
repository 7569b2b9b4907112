import { useRef, useState } from 'react'
import { CallError, sentenceOf } from '#web/api/call.ts'

const NO_FAULTS: Readonly<Record<string, string>> = {}

/**
 * A change that is being sent: whether it is on its way, and what the server had against it. What was typed stays.
 *
 * @param onFailed besides, for a message elsewhere than beside the button
 */
export function useChange({
  onFailed,
}: { readonly onFailed?: ((error: CallError) => void) | undefined } = {}) {
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<CallError | null>(null)
  // Two presses before the page is drawn again are one.
  const isSending = useRef(false)
  const isStale = failed?.status === 409

  /** @returns whether it was done */
  async function run(work: () => Promise<void>): Promise<boolean> {
    if (isSending.current) return false
    isSending.current = true
    setBusy(true)
    setFailed(null)
    try {
      await work()
      return true
    } catch (error) {
      const fault = error instanceof CallError ? error : new CallError(sentenceOf(error), 0)
      setFailed(fault)
      onFailed?.(fault)
      return false
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }

  return {
    run,
    isBusy,
    /** The last failure. */
    failed,
    /** Its sentence. */
    said: failed?.message ?? null,
    /** Somebody else was faster, or it cannot be done any more. */
    isStale,
    /** Messages by field: what is wrong with it or, where somebody was faster, what became of it. */
    faults: isStale ? NO_FAULTS : (failed?.fields ?? NO_FAULTS),
    theirs: isStale ? (failed?.fields ?? NO_FAULTS) : NO_FAULTS,
    forget: () => setFailed(null),
  }
}

export type Change = ReturnType<typeof useChange>
