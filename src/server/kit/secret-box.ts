import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const MARK = 'v1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SecretBox = ReturnType<typeof secretBox>

/**
 * Keeps short secrets in the database unreadable without a key that is not in it: AES-256-GCM, each text with a nonce of its
 * own and bound to what it is about, so that it cannot be moved to another row.
 *
 * @param key 32 bytes
 */
export function secretBox(key: Uint8Array) {
  return {
    seal(text: string, about: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()])
      return MARK + Buffer.concat([bytes, cipher.getAuthTag()]).toString('base64url')
    },

    /** @returns null for what was sealed with another key, about something else, or not at all */
    open(sealed: string, about: string): string | null {
      if (!isSealed(sealed)) return null
      const bytes = Buffer.from(sealed.slice(MARK.length), 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/** Gives the box once its key was looked for: a site with nothing to seal needs no key. */
export type Secrets = () => Promise<SecretBox>

/** @param key where the key is; what it throws is thrown at each use until the key is there */
export function secretsOf(key: () => Promise<Uint8Array>): Secrets {
  let box: SecretBox | null = null
  return async () => (box ??= secretBox(await key()))
}

/** Whether a text was sealed, by whatever key. */
export function isSealed(text: string): boolean {
  return text.startsWith(MARK)
}
