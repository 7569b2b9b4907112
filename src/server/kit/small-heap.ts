import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The heap after a start with some hundred predictions is half of this. */
const LARGE_HEAP_BYTES = 128 * 1024 * 1024
/** The first visitors of a start are answered before that. */
const COLLECT_AFTER_MS = 1_000
/** Where the record is not large: after an outage, all who were away come back in the first seconds. */
const SMALL_AFTER_MS = 15_000

/**
 * Has the heap kept small: it then grows by little, and is cleaned more often for it. A start that reads a large record would
 * take three times as long that way, so this is called behind it, and what the start has left is cleaned up soon. Where the
 * record is not large it begins later, as cleaning took a quarter of the time in which those who come back were answered.
 */
export function keepHeapSmall(): void {
  const isLarge = process.memoryUsage().heapUsed > LARGE_HEAP_BYTES
  if (isLarge) growByLittle()
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setTimeout(
    () => {
      if (!isLarge) growByLittle()
      if (typeof collect === 'function') collect()
    },
    isLarge ? COLLECT_AFTER_MS : SMALL_AFTER_MS,
  ).unref()
}

function growByLittle(): void {
  setFlagsFromString('--optimize-for-size')
}
