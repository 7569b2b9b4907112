import { counted } from '#server/kit/counted.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { isoIn } from '#server/kit/now.ts'
import { type AdminKit } from './open-admins.ts'
import { forgetTries, type TryRule } from './sign-in-tries.store.ts'

export const BY_NAME: TryRule = { free: 4, longestS: 900 }
const KEPT_MS = 2 * 86_400_000

/** After a success: forgets the failed tries of these keys, and old ones of all. */
export function noteSuccess(kit: Pick<AdminKit, 'db' | 'clock'>, keys: readonly string[]) {
  return forgetTries(kit.db, keys, isoIn(kit, -KEPT_MS))
}

/** @param until ISO moment from which the next try counts */
export function tooMany(sentence: string, until: string, nowMs: number): AppError {
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - nowMs) / 1_000))
  const wait =
    seconds < 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')
  return failure('too_many', `${sentence} Try again in ${wait}.`, null, seconds)
}
