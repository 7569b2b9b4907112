import {
  addFollowing,
  changeFollowing,
  confirmFollowing,
  endFollowing,
  followByMail,
  followWays,
  readFollowing,
  refuseFollowing,
  unfollow,
  type FollowedSubject,
} from '#contracts/following.ts'
import { type Every } from '#domain/publishing/following.ts'
import { z } from 'zod'
import { deviceStore, keep, readKept } from '#web/ui/device-store.ts'
import { call } from './call.ts'

export type FollowWays = z.infer<typeof followWays.reply>
export type FollowingState = z.infer<typeof readFollowing.reply>

export const EVERY_NAMES: readonly (readonly [Every, string])[] = [
  ['now', 'At once'],
  ['day', 'Once a day'],
  ['week', 'Once a week'],
]

const KEPT = 'following'
const Kept = z.object({ token: z.string(), shown: z.string() })
export type KeptFollower = z.infer<typeof Kept>

/** The address that was confirmed in this browser, and what manages it; null for none. */
export function keptFollower(): KeptFollower | null {
  return readKept(deviceStore(), KEPT, Kept)
}

function keepFollower(given: KeptFollower | null): void {
  keep(deviceStore(), KEPT, given && JSON.stringify(given))
}

export function fetchWays(query: FollowedSubject, signal: AbortSignal): Promise<FollowWays> {
  return call(followWays, { query, signal })
}

export function fetchFollowing(token: string, signal: AbortSignal): Promise<FollowingState> {
  return call(readFollowing, { params: { token }, signal })
}

export async function followWithMail(
  given: FollowedSubject & { readonly email: string; readonly every: Every },
): Promise<void> {
  await call(followByMail, { body: given })
}

export async function followWithKept(token: string, given: FollowedSubject): Promise<void> {
  await call(addFollowing, { params: { token }, body: given })
}

/** @returns the token of the page that manages it */
export async function confirmFollow(token: string): Promise<string> {
  const { shown, token: own } = await call(confirmFollowing, { params: { token }, body: {} })
  keepFollower({ token: own, shown })
  return own
}

export async function changeEvery(token: string, every: Every): Promise<void> {
  await call(changeFollowing, { params: { token }, body: { every } })
}

export async function unfollowOne(token: string, given: FollowedSubject): Promise<void> {
  await call(unfollow, { params: { token }, body: given })
}

export async function endFollow(token: string): Promise<void> {
  await call(endFollowing, { params: { token }, body: {} })
  keepFollower(null)
}

export async function refuseFollow(token: string): Promise<void> {
  await call(refuseFollowing, { params: { token }, body: {} })
  keepFollower(null)
}
