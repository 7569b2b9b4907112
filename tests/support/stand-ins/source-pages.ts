import { type ServerResponse } from 'node:http'
import { type LookupFunction } from 'node:net'
import { PUBLIC_WEB, type Reach } from '#server/kit/reach.ts'
import { serving } from './serving.ts'

/** How a page responds: by a status with headers, or with a fault. */
export type PageAnswer =
  | number
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | 'silent'
  | 'broken'
  /** HEAD is refused; the page exists. */
  | 'no head'
  /** Serves an endless page. */
  | 'huge'

/** Web pages on this machine, each host under its own name. */
export async function startPages() {
  /** By path; 404 for all others. */
  const answers = new Map<string, PageAnswer>()
  const calls: { method: string; host: string; path: string }[] = []
  let sent = 0
  let open = 0
  const { port, [Symbol.asyncDispose]: close } = await serving((request, response) => {
    const { method = '', url: path = '/' } = request
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    calls.push({ method, host, path })
    open += 1
    response.on('close', () => {
      open -= 1
    })
    const answer = answers.get(path) ?? 404
    if (answer === 'silent') return
    if (answer === 'broken') response.destroy()
    else if (answer === 'no head' || answer === 'huge') {
      if (method === 'HEAD') response.writeHead(405).end()
      else if (answer === 'no head') response.writeHead(200).end('a page')
      else endless(response.writeHead(200), (bytes) => (sent += bytes))
    } else if (typeof answer === 'number') response.writeHead(answer).end()
    else response.writeHead(answer.status, answer.headers).end()
  })
  return {
    port,
    /** The whole address of a page. */
    at: (host: string, path: string) => `http://${host}:${String(port)}${path}`,
    answers,
    calls,
    /** The number of bytes sent by endless pages. */
    bytesSent: () => sent,
    /** The number of open requests. */
    open: () => open,
    [Symbol.asyncDispose]: close,
  }
}

function endless(response: ServerResponse, count: (bytes: number) => void): void {
  const chunk = Buffer.alloc(65_536, 'x')
  const more = (): void => {
    while (!response.destroyed) {
      count(chunk.length)
      if (!response.write(chunk)) return
    }
  }
  response.on('drain', more)
  more()
}

/**
 * Lets the site reach the stand-in as part of the public web: names that end in `.example` lead there, `gone.example`
 * leads nowhere, and `private.example` to a private address.
 */
export function reachOf(port: number): Reach {
  const lookup: LookupFunction = (host, options, done) => {
    const fault = (code: string) => done(Object.assign(new Error(code), { code }), '')
    if (host === 'private.example') fault('ENOTPUBLIC')
    else if (host === 'gone.example' || !host.endsWith('.example')) fault('ENOTFOUND')
    else if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }])
    else done(null, '127.0.0.1', 4)
  }
  return {
    lookup,
    isAllowed: (url) => {
      const usual = new URL(url)
      if (usual.port === String(port)) usual.port = ''
      return PUBLIC_WEB.isAllowed(usual)
    },
  }
}
