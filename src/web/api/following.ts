import { z } from 'zod'
import {
  type FollowedSubject,
  followInBrowser,
  PushSubscriptionInput,
} from '#contracts/following.ts'
import { type Every } from '#domain/publishing/following.ts'
import { deviceStore, keep, readStored } from '#web/ui/device-store.ts'
import { call, CallError } from './call.ts'

export const EVERY_NAMES: readonly (readonly [Every, string])[] = [
  ['now', 'At once'],
  ['day', 'Once a day'],
  ['week', 'Once a week'],
]

const FOLLOWER_KEY = 'following'
const StoredFollower = z.object({ token: z.string(), shown: z.string() })
export type StoredFollower = z.infer<typeof StoredFollower>

/** The confirmed address in this browser, with its management token; null if none. */
export function storedFollower(): StoredFollower | null {
  return readStored(deviceStore(), FOLLOWER_KEY, StoredFollower)
}

export function keepFollower(follower: StoredFollower | null): void {
  keep(deviceStore(), FOLLOWER_KEY, follower && JSON.stringify(follower))
}

export type PushState = 'follows' | 'open' | 'denied' | 'cannot'

const INSTALLED_WITHIN_MS = 6_000
/** Cache in which the worker looks up the subscription; see src/web/worker/service-worker.js. */
const PUSH = 'push'
const SUBSCRIPTION = '/subscription'
const NOT_TAKEN =
  'The push service of this browser did not answer. Please try again, or follow by email or by a feed.'

async function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return null
  }
  // `ready` never resolves if the browser refused the worker.
  const never = new Promise<null>((resolve) => setTimeout(() => resolve(null), INSTALLED_WITHIN_MS))
  return Promise.race([navigator.serviceWorker.ready, never])
}

async function ask(
  subscription: PushSubscription,
  of: FollowedSubject,
  action: 'follow' | 'unfollow' | 'look',
): Promise<PushState> {
  const input = PushSubscriptionInput.parse(subscription.toJSON())
  const body = { ...of, subscription: input, wants: action }
  const { follows } = await call(followInBrowser, { body })
  return follows ? 'follows' : 'open'
}

export async function pushState(of: FollowedSubject): Promise<PushState> {
  try {
    const registration = await worker()
    if (!registration) return 'cannot'
    if (Notification.permission === 'denied') return 'denied'
    const subscription = await registration.pushManager.getSubscription()
    return subscription ? await ask(subscription, of, 'look') : 'open'
  } catch {
    return 'open'
  }
}

/**
 * Asks for permission if necessary.
 *
 * @param key public key of the site, base64url
 * @throws CallError
 */
export async function followsInBrowser(
  of: FollowedSubject,
  key: string,
  action: 'follow' | 'unfollow',
): Promise<PushState> {
  const registration = await worker()
  if (!registration) return 'cannot'
  if ((await Notification.requestPermission()) !== 'granted') {
    return Notification.permission === 'denied' ? 'denied' : 'open'
  }
  const subscription = await subscriptionOf(registration, key)
  const state = await ask(subscription, of, action)
  await keepForWorker(subscription, key).catch(() => {})
  return state
}

async function keepForWorker(subscription: PushSubscription, key: string): Promise<void> {
  const cache = await caches.open(PUSH)
  await cache.put(SUBSCRIPTION, Response.json({ key, subscription: subscription.toJSON() }))
}

async function subscriptionOf(registration: ServiceWorkerRegistration, key: string) {
  const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  )
  try {
    const found = await registration.pushManager.getSubscription()
    const own = found?.options.applicationServerKey
    if (found && own && String(new Uint8Array(own)) === String(bytes)) return found
    // Created for other keys, for example before the site was reinstalled.
    await found?.unsubscribe()
    return await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytes,
    })
  } catch {
    throw new CallError(NOT_TAKEN, 0)
  }
}
