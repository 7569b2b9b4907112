import { useEffect, useRef, useState } from 'react'
import { CallError, sentenceOf } from '#web/api/call.ts'

export type Key = string | number
/** Messages by field; items of a list by path, such as `sources.1.date`. */
export type Faults = Readonly<Record<string, string>>
const NO_FAULTS: Faults = {}
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
  const field = <Name extends keyof Values & string>(name: Name, faults: Faults = NO_FAULTS) => ({
    name,
    value: values[name],
    fault: faults[name],
    onChange: (value: Values[Name]) => setValues((before) => ({ ...before, [name]: value })),
  })
  return { values, change, field }
}

/** Messages at the fields of a form, each shown until its field changes; the first gets the focus. */
export function useFaults() {
  const element = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState(NO_FAULTS)
  const [found, setFound] = useState(NO_FAULTS)
  useEffect(() => {
    // After rendering.
    if (found !== NO_FAULTS) element.current?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [found])

  function show(next: Faults): void {
    setFaults(next)
    if (Object.keys(next).length > 0) setFound(next)
  }

  return {
    element,
    faults,
    show,
    /** Clears the faults of changed fields, and shows those of the new values. */
    typed: (part: Readonly<Record<string, unknown>>, own: Faults = NO_FAULTS): void =>
      setFaults((now) => ({
        ...Object.fromEntries(
          Object.entries(now).filter(([path]) => !((path.split('.')[0] ?? path) in part)),
        ),
        ...own,
      })),
    /**
     * Sends the form and shows the faults found by the server.
     *
     * @param placed maps fields of the call to those of the form
     */
    sending: async <Answer>(
      work: () => Promise<Answer>,
      placed = (fields: Faults): Faults => fields,
    ): Promise<Answer> => {
      setFaults(NO_FAULTS)
      try {
        return await work()
      } catch (error) {
        if (error instanceof CallError && error.status !== 409) show(placed(error.fields))
        throw error
      }
    },
  }
}

const INVALID = '[aria-invalid="true"]'
