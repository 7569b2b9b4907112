import { useCallback, useEffect, useRef, useState } from 'react'
import { entryKey, followPlace, useOpeningSearch, WRITTEN } from './location.ts'

const WRITE_MS = 250

export type AddressCodec<State> = {
  /** Reads the parameters; what is missing or invalid has its default. */
  readonly read: (param: (name: string) => string | null) => State
  /** The parameters of a state, without those that have their default. */
  readonly write: (state: State) => Readonly<Record<string, string | undefined>>
}

/** A state in the address, which makes no new entry in the history. @param codec must stay the same object */
export function useAddressState<State>(
  codec: AddressCodec<State>,
): readonly [State, (step: (before: State) => State) => void] {
  const search = useOpeningSearch()
  const [state, setState] = useState(() => readFrom(codec, search))
  const now = useRef(state)
  const pending = useRef<State | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const flush = useCallback(() => {
    clearTimeout(timer.current)
    if (pending.current === null) return
    writeTo(codec, pending.current)
    pending.current = null
  }, [codec])

  const change = useCallback(
    (step: (before: State) => State) => {
      setState((before) => {
        const next = step(before)
        now.current = next
        pending.current = next
        return next
      })
      clearTimeout(timer.current)
      timer.current = setTimeout(flush, WRITE_MS)
    },
    [flush],
  )

  useEffect(() => {
    let entry = entryKey(window.history.state)
    // A link to this page, or a step through the history, while the page stays: the address says what is to be seen.
    const readAgain = () => {
      const before = entry
      entry = entryKey(window.history.state)
      clearTimeout(timer.current)
      pending.current = null
      // A dialog was opened or closed over the page: what was chosen meanwhile stays.
      if (entry !== null && entry === before) {
        writeTo(codec, now.current)
        return
      }
      now.current = readFrom(codec, window.location.search)
      setState(now.current)
    }
    return followPlace(readAgain)
  }, [codec])

  useEffect(() => {
    // A link was followed within the wait: the entry that is left must have its state by then.
    window.addEventListener('click', flush, { capture: true })
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('click', flush, { capture: true })
      window.removeEventListener('pagehide', flush)
      clearTimeout(timer.current)
      pending.current = null
    }
  }, [flush])

  return [state, change]
}

function readFrom<State>(codec: AddressCodec<State>, search: string): State {
  const params = new URLSearchParams(search)
  return codec.read((name) => params.get(name))
}

/** A path with the parameters of a state. */
export function addressIn<State>(path: string, codec: AddressCodec<State>, state: State): string {
  const query = queryOf(codec, state)
  return query === '' ? path : `${path}?${query}`
}

/** A state as the query of an address, without its question mark; empty for the default state. */
export function queryOf<State>(codec: AddressCodec<State>, state: State): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(codec.write(state))) {
    if (value !== undefined) params.set(name, value)
  }
  // Commas stay readable; they need no escape in a query.
  return params.toString().replaceAll('%2C', ',')
}

function writeTo<State>(codec: AddressCodec<State>, state: State): void {
  const query = queryOf(codec, state)
  const address = `${window.location.pathname}${query === '' ? '' : `?${query}`}${window.location.hash}`
  window.history.replaceState(window.history.state, '', address)
  window.dispatchEvent(new Event(WRITTEN))
}
