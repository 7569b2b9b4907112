import { type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { sharedByFile } from '../once-for-file.ts'

export type MailSink = AsyncDisposable & {
  readonly url: string
  readonly mails: () => Promise<Email[]>
  readonly recipients: string[]
  /**
   * The code and text that refuse the next mails; null accepts them. What happens before a mail, once its recipient is
   * accepted, and after it: a response, a broken connection, or an endless response.
   */
  readonly behaviour: {
    refuseWith: number | null
    words: string
    before: 'answers' | 'dies'
    after: 'answers' | 'dies' | 'never ends'
    answerMs: number
  }
  readonly clear: () => void
}

/** Repeats the next line of a response endlessly. */
function goOn(socket: Socket): void {
  const timer = setInterval(() => socket.write('250-still at it\r\n'), 50)
  socket.on('close', () => clearInterval(timer))
}

/** The package waits 100 ms for clients that talk before its greeting, which is most of a mail's time here. */
class PromptServer extends SMTPServer {
  override connect(...given: Parameters<SMTPServer['connect']>): void {
    super.connect(...given)
    for (const one of this.connections) {
      if (Object.hasOwn(one, 'connectionReady')) continue
      const greet = one.connectionReady.bind(one)
      one.connectionReady = () => {}
      greet()
    }
  }
}

const NORMAL: MailSink['behaviour'] = {
  refuseWith: null,
  words: 'refused',
  before: 'answers',
  after: 'answers',
  answerMs: 0,
}

export async function mailSink(): Promise<MailSink> {
  const raw: Buffer[] = []
  const recipients: string[] = []
  const behaviour = { ...NORMAL }
  const sockets = new Set<Socket>()
  const server = new PromptServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo({ address }, _, done) {
      if (behaviour.refuseWith !== null) {
        done(Object.assign(new Error(behaviour.words), { responseCode: behaviour.refuseWith }))
        return
      }
      if (behaviour.before === 'dies') for (const one of sockets) one.destroy()
      recipients.push(address)
      done()
    },
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        raw.push(Buffer.concat(chunks))
        if (behaviour.after === 'answers') setTimeout(done, behaviour.answerMs)
        if (behaviour.after === 'dies') for (const one of sockets) one.destroy()
        if (behaviour.after === 'never ends') for (const one of sockets) goOn(one)
      })
    },
  })
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  // A sender killed during a mail breaks its connection.
  server.on('error', () => {})
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  const address = server.server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    mails: () => Promise.all(raw.map((one) => PostalMime.parse(one))),
    recipients,
    behaviour,
    clear: () => {
      raw.length = 0
      recipients.length = 0
    },
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  }
}

/** The path that ends the mails of this kind by one click. */
export function unsubscribePath(mail: Email | undefined): string {
  const { value = '' } = mail?.headers.find(({ key }) => key === 'list-unsubscribe') ?? {}
  return new URL(value.slice(1, -1)).pathname
}

/** The same for all tests of a file: each begins without mails, and with a server that accepts them. */
export function sharedMailSink(): MailSink {
  return sharedByFile(mailSink, async ({ clear, behaviour }) => {
    clear()
    Object.assign(behaviour, NORMAL)
  })
}
