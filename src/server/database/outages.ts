import { troubleOf } from '#server/kit/trouble.ts'

/** `away`: no response; `full`: no disk space. */
export type OutageKind = 'away' | 'full'

export type Outages = ReturnType<typeof watchOutages>

const ASK_EVERY_MS = 500
/** Free space is not reported; only writes succeed again. */
const ROOM_AFTER_MS = 60_000

/** Detects database outages, with two log lines each: at the beginning and at the end. */
export function watchOutages({
  ping,
  log,
  askEveryMs = ASK_EVERY_MS,
}: {
  /** Fails while the database is away. */
  ping: () => Promise<unknown>
  log: { warn: (text: string) => void }
  askEveryMs?: number
}) {
  let awaySince: number | null = null
  let asking: NodeJS.Timeout | null = null
  let fullUntil: NodeJS.Timeout | null = null
  let stopped = false

  function ask(): void {
    asking = setTimeout(() => {
      ping().then(
        () => {
          const seconds = (performance.now() - (awaySince ?? performance.now())) / 1_000
          awaySince = null
          if (!stopped) log.warn(`The database is back after ${seconds.toFixed(1)} s.`)
        },
        () => {
          if (!stopped) ask()
        },
      )
    }, askEveryMs)
    asking.unref()
  }

  return {
    /** Examines any failure. The first of an outage is logged. @returns null for other failures */
    notice(error: unknown): OutageKind | null {
      const { message, isLost, isFull } = troubleOf(error)
      if (isFull) {
        if (!fullUntil && !stopped) {
          log.warn(`The database disk is full; writes are refused: ${message}`)
        }
        if (fullUntil) clearTimeout(fullUntil)
        fullUntil = setTimeout(() => {
          fullUntil = null
          log.warn('The disk has had free space for a minute.')
        }, ROOM_AFTER_MS)
        fullUntil.unref()
        return 'full'
      }
      if (!isLost) return null
      if (awaySince === null && !stopped) {
        awaySince = performance.now()
        log.warn(`The database is not responding; cached pages are served: ${message}`)
        ask()
      }
      return 'away'
    },
    current: (): OutageKind | null => (fullUntil ? 'full' : awaySince === null ? null : 'away'),
    stop(): void {
      stopped = true
      if (asking) clearTimeout(asking)
      if (fullUntil) clearTimeout(fullUntil)
    },
  }
}
