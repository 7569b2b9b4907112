import { SourceError } from '#server/kit/ports.ts'
import { AddressRefused, type Mailer } from './ports.ts'
// Not `{ type … }`: that would leave an import behind, and the library is loaded only where mail is sent.
import { z } from 'zod'

const TITLE = 'The mail server'
const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 20_000

const Fault = z.object({
  responseCode: z.number().optional(),
  code: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
})

/**
 * What is said of us, not of the address: our server does not relay for us, or it or the other one does not like who we are
 * (RFC 3463, X.7).
 */
const ABOUT_US = /\b5\.7\.\d|\brelay/i

/** Sends mail by SMTP. @param url smtp:// or smtps://, with user and password where the server wants them */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  return {
    async send({ to, subject, text, html, id, unsubscribeUrl }, signal) {
      if (signal.aborted) throw new SourceError('down', `${TITLE} was not asked in time.`)
      const { createTransport } = await import('nodemailer')
      const by = createTransport({
        url,
        connectionTimeout: CONNECT_WITHIN_MS,
        greetingTimeout: CONNECT_WITHIN_MS,
        socketTimeout: ANSWER_WITHIN_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      let isAtWork = false
      by.use('stream', ({ message }, done) => {
        const read = message.createReadStream.bind(message)
        // It is read once the server has let us in.
        message.createReadStream = (options) => {
          isAtWork = true
          return read(options)
        }
        done()
      })
      try {
        await by.sendMail({
          // A server that is slow beyond it may have got the mail; the next try has the same Message-ID.
          signal,
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
        throw faultOf(error, isAtWork)
      }
    },
  }
}

/**
 * Codes from 500 on are for good, if they are about this mail; what is said of a login or of the sender concerns us.
 *
 * @param isAtWork whether the server had let us in: a connection that breaks then may break by this mail, and may have taken it
 */
function faultOf(error: unknown, isAtWork: boolean): SourceError {
  const { responseCode, code, command, response = '' } = Fault.safeParse(error).data ?? {}
  const said = responseCode === undefined ? '' : ` (${String(responseCode)})`
  const isOurs = code === 'EAUTH' || command === 'MAIL FROM'
  if (isOurs || (responseCode === undefined && !isAtWork)) {
    return new SourceError('down', `${TITLE} did not take the mail${said}.`)
  }
  if (responseCode === undefined) {
    return new SourceError('busy', `${TITLE} did not say whether it took the mail.`)
  }
  if (responseCode < 500) return new SourceError('busy', `${TITLE} put the mail off${said}.`)
  const sentence = `${TITLE} refused the mail${said}.`
  if (command !== 'RCPT TO') return new SourceError('refused', sentence)
  return ABOUT_US.test(response) ? new SourceError('busy', sentence) : new AddressRefused(sentence)
}
