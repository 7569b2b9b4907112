import { z } from 'zod'
import { type Admin, type Clock } from '#server/kit/ports.ts'
import { type Signals } from '#server/kit/signals.ts'

/** A page says every ten seconds what it is at; one that went without a word is forgotten after this time. */
const FORGOTTEN_AFTER_MS = 25_000
/** So many pages of all administrators are remembered, the latest. */
const MOST = 500

const Seen = z.object({
  tab: z.string(),
  adminId: z.number(),
  username: z.string(),
  submissionId: z.string().nullable(),
})
type Seen = z.infer<typeof Seen>

/** Who looks at which submission now: in the memory of each process, which tell each other by signals. */
export function openPresence({
  clock,
  signals,
}: {
  readonly clock: Clock
  readonly signals: Pick<Signals, 'listen' | 'send'>
}) {
  const pages = new Map<string, Seen & { readonly untilMs: number }>()

  function note(seen: Seen): void {
    const key = `${String(seen.adminId)} ${seen.tab}`
    pages.delete(key)
    if (seen.submissionId === null) return
    pages.set(key, { ...seen, untilMs: clock.now() + FORGOTTEN_AFTER_MS })
    for (const old of [...pages.keys()].slice(0, Math.max(0, pages.size - MOST))) pages.delete(old)
  }

  return {
    /** Hears from now on what pages of other processes are at. */
    follow(): void {
      signals.listen('presence', (text) => {
        // What was not heard meanwhile is said again soon.
        if (text !== null) note(Seen.parse(JSON.parse(text)))
      })
    },
    /** Notes what a page of an administrator is at. @returns who else is where */
    here(admin: Admin, tab: string, submissionId: string | null) {
      const seen = { tab, adminId: admin.id, username: admin.username, submissionId }
      note(seen)
      signals.send('presence', JSON.stringify(seen))
      const now = clock.now()
      for (const [key, { untilMs }] of pages) if (untilMs <= now) pages.delete(key)
      const others = [...pages.values()].flatMap(({ adminId, username, submissionId: at }) =>
        adminId === admin.id || at === null ? [] : [`${at} ${username}`],
      )
      return [...new Set(others)].map((one) => ({
        submission_id: one.slice(0, ID_LENGTH),
        username: one.slice(ID_LENGTH + 1),
      }))
    },
  }
}

const ID_LENGTH = 36
