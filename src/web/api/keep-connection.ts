import { doubtReach, noteNews } from './reach.ts'

/** How long after its end a connection is tried again (public-site.md §9), and a random part that is added. */
const AGAIN_MS = 5_000
const JITTER_MS = 2_500

/** What a connection reports about itself. */
export type ConnectionEnds = {
  /** A regular message arrived: from now on, silence means that the connection is dead. */
  readonly heard: () => void
  /** It has ended, or could not be opened. */
  readonly lost: () => void
}

/**
 * Keeps a connection open: after its end, or when it falls silent, it is opened again, not by all visitors at once.
 *
 * @param connect opens the connection and returns how to close it
 * @param onLost called each time it ends by itself
 * @returns closes it for good
 */
export function keepConnection(
  connect: (ends: ConnectionEnds) => () => void,
  silentMs: number,
  onLost?: () => void,
): () => void {
  let close: (() => void) | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  function drop(): void {
    clearTimeout(again)
    clearTimeout(silence)
    const last = close
    close = null
    last?.()
  }

  function open(): void {
    // What an earlier connection still sends does not count.
    let isCurrent = true
    const lost = (): void => {
      if (!isCurrent) return
      isCurrent = false
      doubtReach()
      drop()
      onLost?.()
      again = setTimeout(open, AGAIN_MS + Math.random() * JITTER_MS)
    }
    const heard = (): void => {
      if (!isCurrent) return
      noteNews()
      clearTimeout(silence)
      silence = setTimeout(lost, silentMs)
    }
    const end = connect({ heard, lost })
    close = () => {
      isCurrent = false
      end()
    }
  }

  open()
  return drop
}
