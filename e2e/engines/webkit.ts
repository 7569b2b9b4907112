import { spawn, type ChildProcess } from 'node:child_process'
import { z } from 'zod'
import { freePort } from '#tests/support/free-port.ts'
import { type Driver } from './browser.ts'
import { stopped, untilAnswers, untilSays } from './programs.ts'

const Reply = z.object({ value: z.unknown() })
const Session = z.object({ sessionId: z.string() })
const Fault = z.object({ error: z.string(), message: z.string() })

/** A WebKitGTK controlled by classic WebDriver, on its own screen if Xvfb is installed. */
export async function startWebkit(program: string, xvfb: string): Promise<Driver> {
  const screen = xvfb === '' ? null : await startScreen(xvfb)
  const port = await freePort()
  const driver = spawn(program, [`--port=${String(port)}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, LD_PRELOAD: '', LIBGL_ALWAYS_SOFTWARE: '1', ...screen?.env },
  })
  const base = `http://127.0.0.1:${String(port)}`
  await untilAnswers(`${base}/status`)

  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const input = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(base + path, { method, ...input })
    const { value } = Reply.parse(await response.json())
    const fault = Fault.safeParse(value)
    if (fault.success) throw new Error(`WebKit: ${path}: ${fault.data.error} ${fault.data.message}`)
    return value
  }
  const { sessionId } = Session.parse(
    await send('POST', '/session', { capabilities: { alwaysMatch: {} } }),
  )
  const session = `/session/${sessionId}`
  const evaluate = async (expression: string): Promise<string> =>
    z
      .string()
      .parse(
        await send('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
      )

  // Classic WebDriver does not expose the console, so the page records it after loading.
  const seen: string[] = []
  const collect = async (): Promise<void> => {
    seen.push(...z.array(z.string()).parse(JSON.parse(await evaluate(takeFaults))))
  }

  return {
    navigate: async (url) => {
      await collect()
      await send('POST', `${session}/url`, { url })
      await evaluate(writeDownFaults)
    },
    evaluate,
    perform: async (actions) => {
      await send('POST', `${session}/actions`, { actions })
    },
    resize: async (width, height) => {
      // The window has bars around the page.
      await send('POST', `${session}/window/rect`, { width, height })
      const inner = z
        .tuple([z.number(), z.number()])
        .parse(JSON.parse(await evaluate('JSON.stringify([innerWidth, innerHeight])')))
      await send('POST', `${session}/window/rect`, {
        width: 2 * width - inner[0],
        height: 2 * height - inner[1],
      })
    },
    faults: async () => {
      await collect()
      return seen
    },
    stop: async () => {
      await send('DELETE', session).catch(() => null)
      await stopped(driver)
      if (screen) await stopped(screen.program)
    },
  }
}

const takeFaults = 'JSON.stringify(window.faults?.splice(0) ?? [])'
const writeDownFaults = `(() => {
  const faults = (window.faults = [])
  const log = console.error
  console.error = (...words) => { faults.push(words.join(' ')); log(...words) }
  addEventListener('error', (event) => faults.push(event.message))
  addEventListener('unhandledrejection', (event) => faults.push(String(event.reason)))
  return ''
})()`

async function startScreen(
  xvfb: string,
): Promise<{ program: ChildProcess; env: NodeJS.ProcessEnv }> {
  const program = spawn(
    xvfb,
    ['-displayfd', '1', '-screen', '0', '1920x1400x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const [, display = ''] = await untilSays(program, program.stdout, /(\d+)\n/)
  return { program, env: { DISPLAY: `:${display}`, GDK_BACKEND: 'x11' } }
}
