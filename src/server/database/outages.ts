import { troubleOf } from '#server/kit/trouble.ts'

/** Why the database cannot do its work: it does not answer, or its disk is full. */
export type OutageKind = 'away' | 'full'

export type Outages = {
  /**
   * Takes any failure. One that means an outage is logged once, when the outage begins.
   *
   * @returns null when the failure has another reason
   */
  readonly notice: (error: unknown) => OutageKind | null
  /** The outage that lasts; null without one. */
  readonly current: () => OutageKind | null
  readonly stop: () => void
}

const ASK_EVERY_MS = 500
/** Nothing says that a disk has room again but that no write fails any more. */
const ROOM_AFTER_MS = 60_000

/** Watches for outages of the database, so that each has two lines in the log: when it begins and when it is over. */
export function watchOutages({
  ping,
  log,
  askEveryMs = ASK_EVERY_MS,
}: {
  /** Fails while the database is away. */
  ping: () => Promise<unknown>
  log: { warn: (text: string) => void }
  askEveryMs?: number
}): Outages {
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
          if (!stopped) log.warn(`The database answers again, after ${seconds.toFixed(1)} s.`)
        },
        () => {
          if (!stopped) ask()
        },
      )
    }, askEveryMs)
    asking.unref()
  }

  return {
    notice(error) {
      const { said, isLost, isFull } = troubleOf(error)
      if (isFull) {
        if (!fullUntil && !stopped) {
          log.warn(`The disk of the database is full; what would be saved is refused: ${said}`)
        }
        if (fullUntil) clearTimeout(fullUntil)
        fullUntil = setTimeout(() => {
          fullUntil = null
          log.warn('Nothing has failed for a full disk for a minute.')
        }, ROOM_AFTER_MS)
        fullUntil.unref()
        return 'full'
      }
      if (!isLost) return null
      if (awaySince === null && !stopped) {
        awaySince = performance.now()
        log.warn(`The database does not answer; pages are shown as they were: ${said}`)
        ask()
      }
      return 'away'
    },
    current: () => (fullUntil ? 'full' : awaySince === null ? null : 'away'),
    stop() {
      stopped = true
      if (asking) clearTimeout(asking)
      if (fullUntil) clearTimeout(fullUntil)
    },
  }
}
