import { useCallback, useEffect, useState } from 'react'

type State<Data> = { readonly data: Data | undefined; readonly error: unknown }

/**
 * Loads something while its part of the page is shown. What is shown stays while it is loaded again.
 *
 * @param load the same function as long as the same is loaded
 */
export function useLoaded<Data>(load: (signal: AbortSignal) => Promise<Data>) {
  const [state, setState] = useState<State<Data>>({ data: undefined, error: null })

  const run = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      try {
        const data = await load(signal)
        if (!signal.aborted) setState({ data, error: null })
      } catch (error) {
        if (!signal.aborted) setState(({ data }) => ({ data, error }))
      }
    },
    [load],
  )
  useEffect(() => {
    const trip = new AbortController()
    void run(trip.signal)
    return () => trip.abort()
  }, [run])
  return { ...state, refetch: () => run(new AbortController().signal) }
}
