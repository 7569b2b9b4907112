import { useState } from 'react'
import { CallError, sentenceOf } from '#web/api/call.ts'

const NO_FAULTS: Readonly<Record<string, string>> = {}

/** A change that is being sent: whether it is on its way, and what the server had against it. What was typed stays. */
export function useChange() {
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<CallError | null>(null)
  const isStale = failed?.status === 409

  /** @returns whether it was done */
  async function run(work: () => Promise<void>): Promise<boolean> {
    if (isBusy) return false
    setBusy(true)
    setFailed(null)
    try {
      await work()
      return true
    } catch (error) {
      setFailed(error instanceof CallError ? error : new CallError(sentenceOf(error), 0))
      return false
    } finally {
      setBusy(false)
    }
  }

  return {
    run,
    isBusy,
    /** The sentence of the last failure. */
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
