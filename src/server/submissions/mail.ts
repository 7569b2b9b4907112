import { escapeMarkup } from '#domain/clean-text.ts'
import { SourceError } from '#server/kit/ports.ts'
// Not `{ type … }`, which would leave an import behind: the library is loaded on demand.
import { z } from 'zod'

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

/** @throws AddressRefused @throws SourceError `refused` for this mail, `busy` for now, `down` for all mail */
export type Mailer = { readonly send: (mail: Mail, signal: AbortSignal) => Promise<void> }

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
        // Read only after the server has authenticated us.
        message.createReadStream = (options) => {
          isAtWork = true
          return read(options)
        }
        done()
      })
      try {
        await by.sendMail({
          // A slow server may have accepted the mail; a retry has the same Message-ID.
          signal,
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
        throw faultOf(error, isAtWork)
      }
    },
  }
}

/** @param isAtWork whether the server had authenticated us and may have accepted the mail */
function faultOf(error: unknown, isAtWork: boolean): SourceError {
  const { responseCode, code, command, response = '' } = Fault.safeParse(error).data ?? {}
  const codeText = responseCode === undefined ? '' : ` (${String(responseCode)})`
  const isOurs = code === 'EAUTH' || command === 'MAIL FROM'
  if (isOurs || (responseCode === undefined && !isAtWork)) {
    return new SourceError('down', `${TITLE} did not take the mail${codeText}.`)
  }
  if (responseCode === undefined) {
    return new SourceError('busy', `${TITLE} did not say whether it took the mail.`)
  }
  if (responseCode < 500) return new SourceError('busy', `${TITLE} put the mail off${codeText}.`)
  const sentence = `${TITLE} refused the mail${codeText}.`
  if (command !== 'RCPT TO') return new SourceError('refused', sentence)
  return ABOUT_US.test(response) ? new SourceError('busy', sentence) : new AddressRefused(sentence)
}
