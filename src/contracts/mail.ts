import { z } from 'zod'
import { defineRoute } from './route.ts'

const params = z.object({
  token: z
    .string()
    .regex(/^[\w-]{20,80}$/, 'This link is not known. It may have been cut short in your mail.'),
})

/** The page that a mail links to; only its button confirms, as programs open links, too. */
export function confirmPath(token: string): string {
  return `/confirm/${token}`
}

/** 404 `not_found` when the link is unknown, has expired, or its address has been changed since. */
export const confirmMail = defineRoute({
  method: 'POST',
  path: '/api/v1/mail/:token/confirm',
  access: 'public',
  summary: 'Confirms the address for notices about a submission.',
  params,
  body: z.unknown(),
  reply: z.object({
    confirmed: z.literal(true),
    /** The address, masked. */
    shown: z.string(),
  }),
})

export const refuseMail = defineRoute({
  method: 'POST',
  path: '/api/v1/mail/:token/refuse',
  access: 'public',
  summary: 'Removes the address that a link was mailed to; this site never writes to it again.',
  params,
  body: z.unknown(),
  reply: z.object({ refused: z.literal(true) }),
})
