import { createHash } from 'node:crypto'
import { xPublisher } from './publish-x.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type XPublisher } from '#server/publishing/ports.ts'
import { type PublishSettings } from '#server/kit/settings/publishing.ts'

/** The account that posts on X, with a hash of its keys. */
export type XAccountParts = { readonly publisher: XPublisher; readonly keyHash: string }

/** The account on X that the settings name; null where they name none. */
export function xAccountOf({ x }: PublishSettings, clock: Clock): XAccountParts | null {
  if (!x) return null
  const { key, token } = x.keys
  const keyHash = createHash('sha256').update(`${x.url.origin} ${key} ${token}`).digest('hex')
  return { publisher: xPublisher({ ...x, clock }), keyHash }
}
