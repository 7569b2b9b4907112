import { SourceError } from '#server/kit/ports.ts'
import { AddressRefused, type Mailer } from './ports.ts'
// Not `{ type … }`: that would leave an import behind, and the library is loaded only where mail is sent.
import type { Transporter } from 'nodemailer'
import { z } from 'zod'

const TITLE = 'The mail server'
const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 20_000

const Fault = z.object({
  responseCode: z.number().optional(),
  code: z.string().optional(),
  command: z.string().optional(),
})

/** Sends mail by SMTP. @param url smtp:// or smtps://, with user and password where the server wants them */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  let opened: Promise<Transporter> | null = null

  function transport(): Promise<Transporter> {
    opened ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        url,
        connectionTimeout: CONNECT_WITHIN_MS,
        greetingTimeout: CONNECT_WITHIN_MS,
        socketTimeout: ANSWER_WITHIN_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    )
    return opened
  }

  return {
    async send({ to, subject, text, html, id, unsubscribeUrl }, signal) {
      if (signal.aborted) throw new SourceError('down', `${TITLE} was not asked in time.`)
      try {
        const by = await transport()
        await by.sendMail({
          from,
          // As an object: a text would be read as a list of addresses.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}>`,
          headers: {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            'Auto-Submitted': 'auto-generated',
          },
        })
      } catch (error) {
        throw faultOf(error)
      }
    },
  }
}

/** Codes from 500 on are for good, if they are about this mail; what is said of a login or of the sender concerns us. */
function faultOf(error: unknown): SourceError {
  const { responseCode, code, command } = Fault.safeParse(error).data ?? {}
  const isOurs = responseCode === undefined || code === 'EAUTH' || command === 'MAIL FROM'
  const said = responseCode === undefined ? '' : ` (${String(responseCode)})`
  if (isOurs) return new SourceError('down', `${TITLE} did not take the mail${said}.`)
  if (responseCode < 500) return new SourceError('busy', `${TITLE} put the mail off${said}.`)
  const sentence = `${TITLE} refused the mail${said}.`
  return command === 'RCPT TO' ? new AddressRefused(sentence) : new SourceError('refused', sentence)
}
