import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The first visitors of a start are answered before that. */
const COLLECT_AFTER_MS = 1_000

/**
 * From now on the heap is kept small: it grows by little, and is cleaned more often for it. A start that reads a large
 * record would take three times as long that way, so it comes behind it, and what the start has left is cleaned up soon.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') setTimeout(() => void collect(), COLLECT_AFTER_MS).unref()
}
