import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'

/** Types of messages of PostgreSQL's protocol, version 3. */
const READY = 'Z'
const SYNC = 'S'
const QUERY = 'Q'
const TERMINATE = 'X'
const SSL_REQUEST = 80_877_103
const PARAMETERS = {
  server_version: '15.0',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
}

type Backend = { readonly socket: Socket; readonly end: () => Promise<void> }
type Waiting = (backend: Backend) => void

/**
 * A pooler in transaction mode like PgBouncer: clients connect at once, and get a server connection for each
 * transaction, the last returned one first, or wait.
 *
 * @param url the database behind it
 * @param most connections of the server
 * @param mode in `session` a connection is returned when its client leaves
 */
export async function transactionPooler(
  url: string,
  { most, mode = 'transaction' }: { most: number; mode?: 'transaction' | 'session' },
) {
  const idle: Backend[] = []
  const all = new Set<Backend>()
  const waiting: Waiting[] = []
  const clients = new Set<Socket>()

  async function connectServer(): Promise<Backend> {
    // After it has signed in, its connection is ours.
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    const socket = streamOf(client)
    socket.removeAllListeners('data')
    const backend = { socket, end: async () => void socket.destroy() }
    all.add(backend)
    return backend
  }

  async function take(): Promise<Backend> {
    const free = idle.pop()
    if (free) return free
    if (all.size < most) return connectServer()
    return new Promise((done) => waiting.push(done))
  }

  function giveBack(backend: Backend): void {
    backend.socket.removeAllListeners('data')
    const next = waiting.shift()
    if (next) next(backend)
    else idle.push(backend)
  }

  function serve(client: Socket): void {
    let backend: Backend | null = null
    clients.add(client)
    client.on('close', () => {
      clients.delete(client)
      const left = backend
      backend = null
      if (left && mode === 'session') giveBack(left)
    })
    client.on('error', () => {})
    /** Responses that the server still owes. */
    let owed = 0
    let work = Promise.resolve()
    const read = messages((type, whole) => {
      if (type === null) {
        if (whole.readInt32BE(4) === SSL_REQUEST) client.write('N')
        else client.write(greeting())
        return
      }
      work = work.then(async () => {
        if (type === TERMINATE) {
          client.end()
          return
        }
        if (type === SYNC || type === QUERY) owed += 1
        if (!backend) {
          const mine = await take()
          backend = mine
          const answer = messages((kind, bytes) => {
            client.write(bytes)
            if (kind !== READY) return
            owed -= 1
            if (mode === 'transaction' && owed === 0 && bytes.toString('latin1', 5, 6) === 'I') {
              backend = null
              giveBack(mine)
            }
          }, true)
          mine.socket.on('data', answer)
        }
        backend.socket.write(whole)
      })
    })
    client.on('data', read)
  }

  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = new URL(url)
  const { port } = server.address() as AddressInfo
  return {
    /** Its address, by which `url` is reached through it. */
    url: `postgresql://${at.username || 'any'}@127.0.0.1:${String(port)}${at.pathname}`,
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.destroy()
      for (const backend of all) await backend.end()
      server.close()
      await once(server, 'close')
    },
  }
}

function streamOf(client: pg.Client): Socket {
  const connection: unknown = Reflect.get(client, 'connection')
  if (typeof connection !== 'object' || connection === null) throw new Error('pg has no connection')
  return Reflect.get(connection, 'stream') as Socket
}

/** Splits incoming data into messages; a client's first one has no type. */
function messages(
  hear: (type: string | null, whole: Buffer) => void,
  isServer = false,
): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isStarting = !isServer
  return (part) => {
    rest = Buffer.concat([rest, part])
    for (;;) {
      const head = isStarting ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const whole = rest.subarray(0, length)
      rest = rest.subarray(length)
      const type = isStarting ? null : whole.toString('latin1', 0, 1)
      if (isStarting && whole.readInt32BE(4) !== SSL_REQUEST) isStarting = false
      hear(type, whole)
    }
  }
}

/** Accepts a client without a password, with an invented server process id. */
function greeting(): Buffer {
  const key = Buffer.alloc(8)
  key.writeInt32BE(randomInt(1, 2 ** 31), 0)
  key.writeInt32BE(randomInt(1, 2 ** 31), 4)
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    ...Object.entries(PARAMETERS).map(([name, value]) =>
      message('S', Buffer.from(`${name}\0${value}\0`)),
    ),
    message('K', key),
    message(READY, Buffer.from('I')),
  ])
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
