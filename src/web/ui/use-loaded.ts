import { useEffect, useState } from 'react'

type State<Data> = { readonly data: Data | undefined; readonly error: unknown }

/**
 * Loads something while its part of the page is shown. What is shown stays while it is loaded again.
 *
 * @param load the same function as long as the same is loaded
 */
export function useLoaded<Data>(load: (signal: AbortSignal) => Promise<Data>) {
  const [state, setState] = useState<State<Data>>({ data: undefined, error: null })

  useEffect(() => {
    const trip = new AbortController()
    load(trip.signal).then(
      (data) => {
        if (!trip.signal.aborted) setState({ data, error: null })
      },
      (error: unknown) => {
        if (!trip.signal.aborted) setState(({ data }) => ({ data, error }))
      },
    )
    return () => trip.abort()
  }, [load])

  async function refetch(): Promise<void> {
    try {
      const data = await load(new AbortController().signal)
      setState({ data, error: null })
    } catch (error) {
      setState(({ data }) => ({ data, error }))
    }
  }
  return { ...state, refetch }
}
