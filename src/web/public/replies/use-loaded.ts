import { useEffect, useEffectEvent, useState } from 'react'

/** What is fetched once, when a part of the dialog opens. Without the store of the dashboards, which would load a file more. */
export function useLoaded<Data>(load: (signal: AbortSignal) => Promise<Data>): {
  readonly data: Data | null
  readonly error: unknown
  readonly again: () => void
} {
  const [tries, setTries] = useState(0)
  const [{ data, error }, setLoaded] = useState<{ data: Data | null; error: unknown }>({
    data: null,
    error: null,
  })
  const begin = useEffectEvent(load)
  useEffect(() => {
    const going = new AbortController()
    begin(going.signal).then(
      (found) => setLoaded({ data: found, error: null }),
      (failed: unknown) => {
        if (!going.signal.aborted) setLoaded({ data: null, error: failed })
      },
    )
    return () => going.abort()
  }, [tries])
  return { data, error, again: () => setTries(tries + 1) }
}
