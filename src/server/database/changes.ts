import type pg from 'pg'
import { CHANGES_CHANNEL, openClient } from '#server/kit/db.ts'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 10_000
/** Several changes in a row, such as an import of many files, are told once. */
const GATHER_MS = 30

/**
 * Listens for changes that any process makes to the record. After a lost connection it connects again, with growing
 * pauses, and tells of a change once it is back: there may have been one meanwhile.
 *
 * @param onChange must not throw
 */
export function listenForChanges(
  connection: pg.ClientConfig,
  onChange: () => void,
  onError: (error: Error) => void,
): { stop: () => Promise<void> } {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let gathering: NodeJS.Timeout | null = null
  let pauseMs = FIRST_PAUSE_MS
  let stopped = false
  let lost = false

  function tell(): void {
    gathering ??= setTimeout(() => {
      gathering = null
      onChange()
    }, GATHER_MS)
  }

  function again(of: pg.Client, error: Error): void {
    if (stopped || client !== of) return
    client = null
    if (!lost) onError(error)
    lost = true
    void of.end().catch(ignore)
    timer = setTimeout(
      () => {
        timer = null
        void connect()
      },
      pauseMs * (0.5 + Math.random() / 2),
    )
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  async function connect(): Promise<void> {
    const next = openClient(connection)
    client = next
    next.on('error', (error) => again(next, error))
    next.on('end', () =>
      again(next, new Error('the connection that listens for changes has ended')),
    )
    next.on('notification', () => {
      if (client === next) tell()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANGES_CHANNEL}`)
      pauseMs = FIRST_PAUSE_MS
      if (lost) tell()
      lost = false
    } catch (error) {
      again(next, error instanceof Error ? error : new Error(String(error)))
    }
  }

  void connect()
  return {
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      if (gathering) clearTimeout(gathering)
      const last = client
      client = null
      await last?.end().catch(ignore)
    },
  }
}

function ignore(): void {
  // A connection that is being given up may say anything.
}
