import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type MailSink = AsyncDisposable & {
  readonly url: string
  readonly mails: () => Promise<Email[]>
  /** Who the mails really went to, by the envelope. */
  readonly recipients: string[]
  /** The code with which the next mails are refused; null takes them. */
  readonly mood: { refuseWith: number | null }
  /** Forgets what it has got. */
  readonly clear: () => void
}

/** A real mail server that keeps what it gets. */
export async function mailSink(): Promise<MailSink> {
  const raw: Buffer[] = []
  const recipients: string[] = []
  const mood: MailSink['mood'] = { refuseWith: null }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, done) {
      if (mood.refuseWith !== null) {
        done(Object.assign(new Error('refused'), { responseCode: mood.refuseWith }))
        return
      }
      recipients.push(address)
      done()
    },
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        raw.push(Buffer.concat(chunks))
        done()
      })
    },
  })
  // Who is killed while sending breaks its connection.
  server.on('error', () => {})
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  const address = server.server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    mails: () => Promise.all(raw.map((one) => PostalMime.parse(one))),
    recipients,
    mood,
    clear: () => {
      raw.length = 0
      recipients.length = 0
    },
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  }
}
