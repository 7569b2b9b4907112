// Not `{ type … }`, which would leave an import behind: the library is loaded on demand.
import { Readable } from 'node:stream'
import { z } from 'zod'
import { escapeMarkup } from '#domain/clean-text.ts'
import { SourceError } from '#server/kit/failure.ts'

type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The same for retries, so that duplicates can be recognized. */
  readonly id: string
  readonly unsubscribeUrl: string
}

/** The mail server rejects the address, or everything sent to it. */
export class AddressRefused extends SourceError {
  constructor(message: string) {
    super('refused', message)
  }
}

/**
 * @param asking called just before the mail is handed over; nothing is sent if it fails, and its error is thrown
 * @throws AddressRefused
 * @throws SourceError `refused` for this mail, `busy` for now, `down` for all mail, `unsure` if the mail may have been taken
 */
export type Mailer = {
  readonly send: (mail: Mail, signal: AbortSignal, asking: () => Promise<void>) => Promise<void>
}

/** A paragraph: text, a link to this site with its label, or a picture with its alternative text. */
export type MailPart =
  | string
  | readonly [label: string, url: string]
  | { readonly picture: string; readonly words: string }

export function mailText(parts: readonly MailPart[]): { text: string; html: string } {
  return {
    text: `${parts.flatMap(linesOf).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${parts.map(paragraphOf).join('')}</body></html>`,
  }
}

function linesOf(part: MailPart): string[] {
  if (typeof part === 'string') return [part]
  return 'picture' in part ? [] : [`${part[0]}: ${part[1]}`]
}

function paragraphOf(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escapeMarkup(part)}</p>`
  if ('picture' in part) {
    const { picture, words } = part
    return `<p><img src="${escapeMarkup(picture)}" alt="${escapeMarkup(words)}" width="600" style="max-width:100%;height:auto"></p>`
  }
  const [label, url] = part
  return `<p>${escapeMarkup(label)}: <a href="${escapeMarkup(url)}">${escapeMarkup(url)}</a></p>`
}

const TITLE = 'The mail server'
const CONNECT_WITHIN_MS = 10_000
const ANSWER_WITHIN_MS = 20_000

const Fault = z.object({
  responseCode: z.number().optional(),
  code: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
})

/** Concerns our server, not the address (RFC 3463, X.7). */
const ABOUT_US = /\b5\.7\.\d|\brelay/i

/** Sends mail by SMTP. @param url smtp:// or smtps://, with user and password if required */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  return {
    async send({ to, subject, text, html, id, unsubscribeUrl }, signal, asking) {
      if (signal.aborted) throw new SourceError('down', `${TITLE} was not called in time.`)
      const { createTransport } = await import('nodemailer')
      const by = createTransport({
        url,
        connectionTimeout: CONNECT_WITHIN_MS,
        greetingTimeout: CONNECT_WITHIN_MS,
        socketTimeout: ANSWER_WITHIN_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      let reached: Reached = 'nothing'
      const stopping = new AbortController()
      by.use('stream', ({ message }, done) => {
        const read = message.createReadStream.bind(message)
        message.createReadStream = (options) => {
          reached = 'account'
          return Readable.from(handed(read(options)), { objectMode: false })
        }
        done()
      })
      /** Read only once the server has accepted the addresses and waits for the mail. */
      async function* handed(mail: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        try {
          await asking()
        } catch (error) {
          stopping.abort(error)
          // Returning would end the mail.
          await new Promise(() => {})
        }
        reached = 'mail'
        yield* mail
      }
      try {
        await by.sendMail({
          signal: AbortSignal.any([signal, stopping.signal]),
          from,
          // As an object: a string would be parsed as a list of addresses.
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
        if (stopping.signal.aborted) throw stopping.signal.reason
        throw faultOf(error, reached)
      }
    },
  }
}

/** How far an attempt came: to the server that knows our account, or to handing over the mail. */
type Reached = 'nothing' | 'account' | 'mail'

function faultOf(error: unknown, reached: Reached): SourceError {
  const { responseCode, code, command, response = '' } = Fault.safeParse(error).data ?? {}
  const codeText = responseCode === undefined ? '' : ` (${String(responseCode)})`
  const isOurs = code === 'EAUTH' || command === 'MAIL FROM'
  if (isOurs || (responseCode === undefined && reached === 'nothing')) {
    return new SourceError('down', `${TITLE} did not accept the mail${codeText}.`)
  }
  if (responseCode === undefined) {
    return reached === 'mail'
      ? new SourceError('unsure', `${TITLE} did not say whether it accepted the mail.`)
      : new SourceError('busy', `${TITLE} did not accept the mail.`)
  }
  if (responseCode < 500) return new SourceError('busy', `${TITLE} deferred the mail${codeText}.`)
  const sentence = `${TITLE} refused the mail${codeText}.`
  if (command !== 'RCPT TO') return new SourceError('refused', sentence)
  return ABOUT_US.test(response) ? new SourceError('busy', sentence) : new AddressRefused(sentence)
}
