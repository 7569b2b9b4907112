import { randomBytes } from 'node:crypto'
import { hash as argon2, parseOptions, verify } from '@node-rs/argon2'
import { failure } from './failure.ts'

/** Of argon2. */
const PASSWORD_COST = { memoryKib: 65_536, passes: 3 }
/** Each uses 64 MiB. */
const MOST_AT_ONCE = 4
const MOST_WAITING = 16
/** Limit for hashes from the environment. */
const MOST_MEMORY_KIB = 1_048_576
const MOST_PASSES = 20
const MOST_LANES = 9

/** Whether a text is an argon2id hash in PHC form, within limits. */
export function isPasswordHash(text: string): boolean {
  if (!text.startsWith('$argon2id$v=19$')) return false
  try {
    const { memoryCost, timeCost, parallelism, outputLen, saltLen } = parseOptions(text)
    return (
      memoryCost >= 8 * parallelism &&
      memoryCost <= MOST_MEMORY_KIB &&
      timeCost <= MOST_PASSES &&
      parallelism <= MOST_LANES &&
      outputLen >= 16 &&
      saltLen >= 8
    )
  } catch {
    return false
  }
}

export type Passwords = ReturnType<typeof passwordHasher>

/** Hashes and verifies passwords with argon2id, a few at a time. @throws AppError `unavailable` when the queue is full */
export function passwordHasher(cost = PASSWORD_COST) {
  let running = 0
  const waiting: (() => void)[] = []

  async function taken<T>(work: () => Promise<T>, isKnown = false): Promise<T> {
    if (running >= MOST_AT_ONCE) {
      if (waiting.length >= (isKnown ? 2 : 1) * MOST_WAITING) {
        throw failure(
          'unavailable',
          'Too many people are signing in. Please try again in a moment.',
        )
      }
      await new Promise<void>((go) => (isKnown ? waiting.unshift(go) : waiting.push(go)))
    }
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }

  function hash(password: string): Promise<string> {
    const { memoryKib, passes } = cost
    const work = () =>
      // Algorithm, version and salt are the library's defaults: argon2id, 0x13 and 16 random bytes.
      argon2(typed(password), {
        memoryCost: memoryKib,
        timeCost: passes,
        parallelism: 1,
        outputLen: 32,
      })
    return taken(work)
  }

  async function matches(password: string, stored: string, isKnown: boolean): Promise<boolean> {
    return isPasswordHash(stored) && (await taken(() => verify(stored, typed(password)), isKnown))
  }

  let placeholder: Promise<string> | null = null
  return {
    hash,
    /**
     * Takes equally long for an unknown user, with `stored` null.
     * @param isKnown takes precedence over unknown users, and gets a slot when they use up theirs
     */
    async matches(password: string, stored: string | null, isKnown = false): Promise<boolean> {
      placeholder ??= hash(randomBytes(16).toString('hex'))
      const isRight = await matches(password, stored ?? (await placeholder), isKnown)
      return isRight && stored !== null
    },
  }
}

/** Keyboards compose letters differently. */
function typed(password: string): string {
  return password.normalize('NFKC')
}
