import { type AssetKey } from '#domain/asset.ts'
import { type Log } from '#server/kit/ports.ts'

export type SourceHealth = ReturnType<typeof sourceHealth>

/** What a source is used for; one failure of it is usually one of both. */
type Use = 'daily' | 'live'

/** One line when a source begins to fail, and one when all of it works again, however often it is tried meanwhile. */
export function sourceHealth(log: Log) {
  const failing = new Map<string, Set<Use>>()

  return {
    /** @param sentence without secrets */
    fails(asset: AssetKey, source: string, use: Use, sentence: string): void {
      const key = `${asset} ${source}`
      const uses = failing.get(key) ?? new Set()
      if (uses.size === 0) log.warn({ asset, source }, `${sentence} It is tried again later.`)
      failing.set(key, uses.add(use))
    },
    works(asset: AssetKey, source: string, use: Use): void {
      const key = `${asset} ${source}`
      const uses = failing.get(key)
      if (!uses?.delete(use) || uses.size > 0) return
      failing.delete(key)
      log.info({ asset, source }, `${source} answers again.`)
    },
  }
}
