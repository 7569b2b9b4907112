import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { type Driver } from './browser.ts'
import { stopped, untilSays } from './programs.ts'

const Message = z.object({
  id: z.number().nullish(),
  type: z.string(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  message: z.string().optional(),
  params: z.unknown().optional(),
})
const Tab = z.object({ context: z.string() })
const Evaluated = z.object({
  result: z.object({ value: z.string() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
})
const Entry = z.object({ level: z.string(), text: z.string().nullable() })

/** Firefox reports this if a page is left while it is still loading. */
const ASIDE = /error loading dynamically imported module/

/** A Firefox controlled by its built-in WebDriver BiDi. */
export async function startFirefox(program: string): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), 'proof-of-price-firefox-'))
  const firefox = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LD_PRELOAD: '', HOME: profile } },
  )
  const [, address = ''] = await untilSays(firefox, firefox.stderr, /BiDi listening on (ws:\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')

  const faults: string[] = []
  const waiting = new Map<number, (message: z.infer<typeof Message>) => void>()
  socket.on('message', (data: Buffer) => {
    const message = Message.parse(JSON.parse(data.toString('utf8')))
    if (message.method === 'log.entryAdded') {
      const { level, text } = Entry.parse(message.params)
      if (level === 'error' && !ASIDE.test(text ?? '')) faults.push(text ?? '')
    } else if (typeof message.id === 'number') waiting.get(message.id)?.(message)
  })
  let last = 0
  const send = async (method: string, params: object = {}): Promise<unknown> => {
    last += 1
    const id = last
    const answer = new Promise<z.infer<typeof Message>>((done) => waiting.set(id, done))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, result, message } = await answer
    waiting.delete(id)
    if (type !== 'success') throw new Error(`Firefox: ${method}: ${message ?? type}`)
    return result
  }

  await send('session.new', { capabilities: {} })
  // The first tab never gets the focus.
  const { context } = Tab.parse(await send('browsingContext.create', { type: 'tab' }))
  await send('session.subscribe', { events: ['log.entryAdded'] })

  return {
    navigate: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    evaluate: async (expression) => {
      const input = { expression, target: { context }, awaitPromise: true }
      const { result, exceptionDetails } = Evaluated.parse(await send('script.evaluate', input))
      if (!result) throw new Error(exceptionDetails?.text ?? 'no result')
      return result.value
    },
    perform: async (actions) => {
      await send('input.performActions', { context, actions })
    },
    resize: async (width, height) => {
      await send('browsingContext.setViewport', { context, viewport: { width, height } })
    },
    faults: () => Promise.resolve(faults),
    stop: async () => {
      socket.terminate()
      await stopped(firefox)
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
