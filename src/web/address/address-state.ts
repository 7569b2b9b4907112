import { useCallback, useEffect, useRef, useState } from 'react'
import { onWindow } from '#web/ui/hooks.ts'
import { entryKey, followPlace, useOpeningSearch, WRITTEN } from './location.ts'

const WRITE_MS = 250

export type AddressCodec<State> = {
  /** Missing or invalid parameters get their defaults. */
  readonly read: (param: (name: string) => string | null) => State
  /** Parameters of a state, without defaults. */
  readonly write: (state: State) => Readonly<Record<string, string | undefined>>
}

/**
 * State stored in the query without new history entries.
 *
 * @param codec must be referentially stable
 */
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
    // On navigation to this page, read the state from the address.
    const readAgain = () => {
      const before = entry
      entry = entryKey(window.history.state)
      clearTimeout(timer.current)
      pending.current = null
      // Only a dialog was opened or closed: keep the current state.
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
    // Write pending state before navigation leaves the history entry.
    const end = onWindow(['click', 'pagehide'], flush, { capture: true })
    return () => {
      end()
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

export function addressIn<State>(path: string, codec: AddressCodec<State>, state: State): string {
  const query = queryOf(codec, state)
  return query === '' ? path : `${path}?${query}`
}

/** A state as a query without question mark; empty for the default state. */
export function queryOf<State>(codec: AddressCodec<State>, state: State): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(codec.write(state))) {
    if (value !== undefined) params.set(name, value)
  }
  // Commas need no escaping in a query, and stay readable.
  return params.toString().replaceAll('%2C', ',')
}

function writeTo<State>(codec: AddressCodec<State>, state: State): void {
  const { pathname, hash } = window.location
  window.history.replaceState(window.history.state, '', addressIn(pathname, codec, state) + hash)
  window.dispatchEvent(new Event(WRITTEN))
}
