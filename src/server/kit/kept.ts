/** Keeps what was made last or asked for last, within a number of entries and of bytes. */
export type Kept<Value> = {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
  readonly clear: () => void
}

/**
 * When it is full, what was not asked for the longest goes first.
 *
 * @param bytesOf what a value weighs
 */
export function keepRecent<Value>({
  most = Infinity,
  mostBytes,
  bytesOf,
}: {
  most?: number
  mostBytes: number
  bytesOf: (value: Value) => number
}): Kept<Value> {
  /** The longest unused first. */
  const kept = new Map<string, Value>()
  let bytes = 0

  function forget(key: string): void {
    const value = kept.get(key)
    if (value === undefined) return
    bytes -= bytesOf(value)
    kept.delete(key)
  }

  return {
    get: (key) => {
      const value = kept.get(key)
      if (value === undefined) return undefined
      kept.delete(key)
      kept.set(key, value)
      return value
    },
    set: (key, value) => {
      forget(key)
      kept.set(key, value)
      bytes += bytesOf(value)
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes && kept.size <= most) break
        forget(oldest)
      }
    },
    clear: () => {
      kept.clear()
      bytes = 0
    },
  }
}
