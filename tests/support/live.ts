export async function eventsOf(
  origin: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
) {
  const stop = new AbortController()
  const response = await fetch(`${origin}/api/v1/live${query}`, { signal: stop.signal, headers })
  const state = { text: '', ended: false }
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) state.text += decoder.decode(chunk as Uint8Array)
    state.ended = true
  })().catch(() => {})
  return { response, state, reading, [Symbol.dispose]: () => stop.abort() }
}
