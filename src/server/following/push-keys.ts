import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { setFactOnce } from '#server/kit/facts.ts'
import { type Db } from '#server/kit/db.ts'

const FACT = 'keys of web push'
const CURVE = 'prime256v1'

const Keys = z.object({ publicKey: z.string(), privateKey: z.string() })
/** By which push services know this site (VAPID, RFC 8292), as base64url. */
export type PushKeys = z.infer<typeof Keys>

/**
 * Made at the first start and kept in the database, as all processes send by them: with other keys every subscription would be
 * lost.
 */
export async function pushKeys(db: Db): Promise<PushKeys> {
  const pair = createECDH(CURVE)
  const publicKey = pair.generateKeys().toString('base64url')
  const made: PushKeys = {
    publicKey,
    // A small number is shorter than the 32 bytes that are expected.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
      'base64url',
    ),
  }
  return Keys.parse(JSON.parse(await setFactOnce(db, FACT, JSON.stringify(made))))
}

/** Whether a browser can have made these: a point of the curve, and 16 bytes. */
export function areBrowserKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  // A point can also be written in 33 bytes, which nothing that encrypts takes.
  if (point.length !== 65 || Buffer.from(auth, 'base64url').length !== 16) return false
  const pair = createECDH(CURVE)
  pair.generateKeys()
  try {
    return pair.computeSecret(point).length === 32
  } catch {
    return false
  }
}
