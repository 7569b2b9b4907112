import { useRef, useState } from 'react'
import { CallError, sentenceOf } from '#web/api/call.ts'

export type Key = string | number
const NO_FAULTS: Readonly<Record<string, string>> = {}
const NOTHING: ReadonlySet<Key> = new Set()

/**
 * Sends a change, and says whether it is being sent and why the server refused it. What was typed stays.
 *
 * @param onFailed for a message elsewhere than beside the button, such as a toast or a field
 */
export function useChange({
  onFailed,
}: { readonly onFailed?: ((error: CallError) => void) | undefined } = {}) {
  const [doing, setDoing] = useState(NOTHING)
  const [failed, setFailed] = useState<CallError | null>(null)
  // Two presses before the page is drawn again are one.
  const sending = useRef(new Set<Key>())

  function show(): void {
    setDoing(new Set(sending.current))
  }

  /**
   * @param key distinguishes changes that may be sent at the same time, such as those of a list's rows; none is sent twice at once
   * @returns whether it was done
   */
  async function run(work: () => Promise<void>, key: Key = ''): Promise<boolean> {
    if (sending.current.has(key)) return false
    sending.current.add(key)
    show()
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
      sending.current.delete(key)
      show()
    }
  }

  return {
    run,
    doing,
    isBusy: doing.size > 0,
    failed,
    said: failed?.message ?? null,
    /** It cannot be done any more, or somebody else was faster. */
    isStale: failed?.status === 409,
    faults: failed?.fields ?? NO_FAULTS,
    forget: () => setFailed(null),
  }
}

export type Change = ReturnType<typeof useChange>
