/** Disposes of several things, newest first: Node has `AsyncDisposableStack` only from 24 on. */
export type Disposals = AsyncDisposable & {
  readonly use: <T extends AsyncDisposable>(one: T) => T
  readonly defer: (end: () => void | PromiseLike<void>) => void
}

export function disposals(): Disposals {
  const ends: (() => void | PromiseLike<void>)[] = []
  return {
    use: (one) => {
      ends.push(() => one[Symbol.asyncDispose]())
      return one
    },
    defer: (end) => void ends.push(end),
    [Symbol.asyncDispose]: async () => {
      for (const end of ends.splice(0).toReversed()) await end()
    },
  }
}
