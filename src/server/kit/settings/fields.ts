import { z } from 'zod'
import { isEncrypted } from '#server/kit/reach.ts'

export const matching = (pattern: RegExp) => z.string().regex(pattern)

/** A key or token on one line. */
export const secret = (longest: number) =>
  matching(new RegExp(String.raw`^[\x21-\x7e]{1,${String(longest)}}$`))

/** The address of a source, described by its default; null if `off`. */
export const sourceAddress = (usual: string) =>
  z
    .string()
    .default(usual)
    .refine((text) => text === 'off' || isAddress(text, usual.startsWith('wss:') ? 'ws' : 'http'))
    .transform((text) => (text === 'off' ? null : new URL(text)))
    .describe(`must be an address such as ${usual} (unencrypted on this machine only), or off`)

/** Whether a text is an address without user and password, encrypted unless it is of this machine. */
export function isAddress(text: string, protocol: 'http' | 'ws'): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  return url.protocol.startsWith(protocol) && isEncrypted(url)
}

/** The help of each described field. */
export const helpOf = (fields: Readonly<Record<string, z.ZodType>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { description }]) => [name, description ?? '']),
  )
