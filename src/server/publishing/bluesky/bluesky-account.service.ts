import { type blueskyStatus } from '#contracts/publishing.ts'
import { isoOrNull } from '#server/kit/iso.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type BlueskyPublisher, type NotPosted } from '#server/publishing/ports.ts'
import { type z } from 'zod'

const ASK_WITHIN_MS = 15_000
/** Signing in is free, but counted: a refused password is not tried at every glance at the page. */
const KNOWN_FOR_MS = 60_000

export const NO_BLUESKY =
  'Bluesky is not set up. Set BLUESKY_HANDLE and BLUESKY_APP_PASSWORD (see .env.example) and start the server again.'

export type BlueskyAccount = ReturnType<typeof blueskyAccount>

/** What this process knows of the account on Bluesky. */
export function blueskyAccount({
  clock,
  publisher,
}: Pick<Kit, 'clock'> & { publisher: BlueskyPublisher }) {
  let known: {
    readonly error: string | null
    readonly handle: string
    readonly atMs: number
  } | null = null
  let asking: Promise<void> | null = null
  let closedUntil: number | null = null

  function note(outcome: { readonly state: 'posted' | 'known' } | NotPosted): void {
    const error = 'message' in outcome ? outcome.message : null
    const handle =
      'handle' in outcome ? String(outcome.handle) : (known?.handle ?? publisher.handle)
    if (outcome.state === 'limited') closedUntil = outcome.until
    known = { error, handle, atMs: clock.now() }
  }

  return {
    publisher,

    async status(): Promise<z.input<typeof blueskyStatus.reply>> {
      if (known === null || clock.now() - known.atMs >= KNOWN_FOR_MS) {
        asking ??= publisher
          .whoAmI(AbortSignal.timeout(ASK_WITHIN_MS))
          .then(note)
          .finally(() => {
            asking = null
          })
        await asking
      }
      return {
        success: known?.error === null,
        error: known?.error ?? null,
        configured: true,
        handle: known?.handle ?? publisher.handle,
        checked_at: isoOrNull(known && new Date(known.atMs).toISOString()),
      }
    },

    /** Until when Bluesky takes no post, as it said itself; null when it may be asked. */
    closedUntil: (): number | null =>
      closedUntil !== null && closedUntil > clock.now() ? closedUntil : null,

    /** Learns from a post whether the account can be posted with. */
    noteOutcome(outcome: { readonly state: 'posted' } | NotPosted): void {
      const isOfAccount = outcome.state !== 'refused' || outcome.reason === 'keys'
      if (isOfAccount && outcome.state !== 'unknown') note(outcome)
    },
  }
}
