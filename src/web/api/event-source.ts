import { LIVE_REPEAT_MS } from '#contracts/paths.ts'
import { doubtReach, noteNews } from './reach.ts'

/** A silent stream is dead after three missed repeats. */
const SILENT_MS = 3 * LIVE_REPEAT_MS
/** How long after a refusal a stream is asked for again (public-site.md §9), and a random part that is added. */
const AGAIN_MS = 5_000
const JITTER_MS = 2_500

/**
 * The browser connects again by itself and names the last event; a stream that is refused or falls silent is opened anew.
 *
 * @param addressOf asked each time it is opened
 * @returns closes it for good
 */
export function openStream<Name extends string>(
  addressOf: () => string,
  {
    names,
    event,
    opened,
    lost,
  }: {
    readonly names: readonly Name[]
    readonly event: (name: Name, data: unknown, id: string) => void
    readonly opened?: () => void
    readonly lost: () => void
  },
): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined

  function broken(): void {
    doubtReach()
    lost()
    clearTimeout(timer)
    // Otherwise the browser is connecting again.
    if (source.readyState !== EventSource.CLOSED) expect()
    else timer = setTimeout(open, AGAIN_MS + Math.random() * JITTER_MS)
  }

  function expect(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      source.close()
      broken()
    }, SILENT_MS)
  }

  function open(): void {
    const own = new EventSource(addressOf())
    source = own
    expect()
    own.addEventListener('open', () => opened?.())
    own.addEventListener('error', broken)
    for (const name of names) {
      own.addEventListener(name, ({ data, lastEventId }: MessageEvent<unknown>) => {
        if (own !== source) return
        noteNews()
        expect()
        event(name, jsonOf(data), lastEventId)
      })
    }
  }

  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

/** The value of a JSON text, or null when it is not one. */
export function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
