import { useRef, useState } from 'react'
import { CallError, sentenceOf } from '#web/api/call.ts'

export type Key = string | number
const NO_FAULTS: Readonly<Record<string, string>> = {}
const NOTHING: ReadonlySet<Key> = new Set()

/**
 * Sends a change, tracking its progress and error.
 *
 * @param onFailed shows the error elsewhere, such as in a toast or at a field
 */
export function useChange({
  onFailed,
}: { readonly onFailed?: ((error: CallError) => void) | undefined } = {}) {
  const [doing, setDoing] = useState(NOTHING)
  const [failed, setFailed] = useState<CallError | null>(null)
  // Two presses before the next render count as one.
  const sending = useRef(new Set<Key>())

  function show(): void {
    setDoing(new Set(sending.current))
  }

  /**
   * @param key allows concurrent changes, such as those of different rows; each key runs once at a time
   * @returns whether it succeeded
   */
  async function run(work: () => Promise<unknown>, key: Key = ''): Promise<boolean> {
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
    message: failed?.message ?? null,
    faults: failed?.fields ?? NO_FAULTS,
    forget: () => setFailed(null),
  }
}

export type Change = ReturnType<typeof useChange>

/** The values of a form; `field` gives the props of an input by its name. */
export function useFields<Values extends Readonly<Record<string, string>>>(initial: Values) {
  const [values, setValues] = useState(initial)
  const change = (part: Partial<Values>): void => setValues((before) => ({ ...before, ...part }))
  const field = <Name extends keyof Values & string>(
    name: Name,
    faults: Readonly<Record<string, string>> = NO_FAULTS,
  ) => ({
    name,
    value: values[name],
    fault: faults[name],
    onChange: (value: Values[Name]) => setValues((before) => ({ ...before, [name]: value })),
  })
  return { values, change, field }
}
