import { type Log } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { receiptVersions } from '#server/submissions/submissions.rows.ts'

/** How soon a change made by another process shows. */
const LOOK_EVERY_MS = 1_000

export type ReceiptBoard = ReturnType<typeof receiptBoard>

/**
 * Tells who watches a receipt when it has changed: at once when this process changed it, and within a second when
 * another one did. All watched receipts together cost one query a second, none cost nothing.
 */
export function receiptBoard({ db, log }: { db: Db; log: Log }) {
  const watchers = new Map<string, Set<() => void>>()
  let versions: ReadonlyMap<string, string> = new Map()
  let timer: NodeJS.Timeout | null = null

  async function look(): Promise<void> {
    const ids = [...watchers.keys()]
    const now = await receiptVersions(db, ids)
    const before = versions
    versions = now
    for (const id of ids) {
      // The first look tells, too: the change may lie between what the watcher has read and this look.
      if (before.get(id) !== now.get(id)) tell(id)
    }
  }

  function tell(submissionId: string): void {
    for (const watcher of watchers.get(submissionId) ?? []) watcher()
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      look()
        .catch((error: unknown) => log.warn({ err: error }, 'Receipts show changes with a delay.'))
        .finally(() => {
          timer = null
          if (watchers.size > 0) schedule()
        })
    }, LOOK_EVERY_MS)
  }

  return {
    tell,

    /** @param onChange must not throw. @returns ends the watch */
    watch(submissionId: string, onChange: () => void): () => void {
      const own = watchers.get(submissionId) ?? new Set()
      watchers.set(submissionId, own.add(onChange))
      schedule()
      return () => {
        own.delete(onChange)
        if (own.size === 0 && watchers.get(submissionId) === own) watchers.delete(submissionId)
      }
    },
  }
}
