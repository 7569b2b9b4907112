import { argon2, randomBytes, timingSafeEqual, type BinaryLike } from 'node:crypto'
import { promisify } from 'node:util'
import { failure } from '#server/errors.ts'

/** What one hash costs: memory in KiB, passes. */
export type PasswordCost = { readonly memoryKib: number; readonly passes: number }

export const PASSWORD_COST: PasswordCost = { memoryKib: 65_536, passes: 3 }
/** Characters. */
export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 256
/** Each takes 64 MiB while it runs. */
const MOST_AT_ONCE = 4
const MOST_WAITING = 16
/** A hash from the environment may not ask for more. */
const MOST_MEMORY_KIB = 1_048_576
const MOST_PASSES = 20

const derive = promisify(argon2)
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([\w+/]{11,88})\$([\w+/]{22,88})$/

/** Whether a text is an argon2id hash in PHC form that this server is willing to check. */
export function isPasswordHash(text: string): boolean {
  const [, memory, passes, lanes] = PHC.exec(text) ?? []
  return (
    Number(memory) >= 8 &&
    Number(memory) <= MOST_MEMORY_KIB &&
    Number(passes) >= 1 &&
    Number(passes) <= MOST_PASSES &&
    Number(lanes) >= 1
  )
}

export type Passwords = ReturnType<typeof passwordHasher>

/**
 * Hashes and checks passwords with argon2id, a few at a time.
 *
 * @throws AppError `unavailable` when too many wait
 */
export function passwordHasher(cost: PasswordCost = PASSWORD_COST) {
  let running = 0
  const waiting: (() => void)[] = []

  async function taken<T>(work: () => Promise<T>): Promise<T> {
    if (running >= MOST_AT_ONCE) {
      if (waiting.length >= MOST_WAITING) {
        throw failure(
          'unavailable',
          'Too many people are signing in. Please try again in a moment.',
        )
      }
      await new Promise<void>((go) => waiting.push(go))
    }
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }

  function keyOf(password: string, nonce: BinaryLike, { memory, passes, lanes, bytes }: Shape) {
    // The same letters typed on another keyboard may come composed differently.
    const message = password.normalize('NFKC')
    return taken(() =>
      derive('argon2id', {
        message,
        nonce,
        memory,
        passes,
        parallelism: lanes,
        tagLength: bytes,
      }),
    )
  }

  async function hash(password: string): Promise<string> {
    const nonce = randomBytes(16)
    const { memoryKib, passes } = cost
    const key = await keyOf(password, nonce, { memory: memoryKib, passes, lanes: 1, bytes: 32 })
    return `$argon2id$v=19$m=${String(memoryKib)},t=${String(passes)},p=1$${bare(nonce)}$${bare(key)}`
  }

  async function matches(password: string, stored: string): Promise<boolean> {
    const parts = PHC.exec(stored)
    if (!parts || !isPasswordHash(stored)) return false
    const [, memory, passes, lanes, salt = '', expected = ''] = parts
    const wanted = Buffer.from(expected, 'base64')
    const key = await keyOf(password, Buffer.from(salt, 'base64'), {
      memory: Number(memory),
      passes: Number(passes),
      lanes: Number(lanes),
      bytes: wanted.length,
    })
    return timingSafeEqual(key, wanted)
  }

  let nobody: Promise<string> | null = null
  return {
    hash,
    /** Takes as long for a user who does not exist: `stored` is null then, and the answer false. */
    async matches(password: string, stored: string | null): Promise<boolean> {
      nobody ??= hash(randomBytes(16).toString('hex'))
      const isRight = await matches(password, stored ?? (await nobody))
      return isRight && stored !== null
    },
    /** Prepares what `matches` needs, so that the first try takes no longer than the others. */
    warmUp: async (): Promise<void> => {
      nobody ??= hash(randomBytes(16).toString('hex'))
      await nobody
    },
  }
}

type Shape = {
  readonly memory: number
  readonly passes: number
  readonly lanes: number
  readonly bytes: number
}

/** Base64 as PHC writes it: without the equals signs. */
function bare(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
