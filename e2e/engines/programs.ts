import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type Readable } from 'node:stream'

const PATIENCE_MS = 60_000

/** Waits for a line printed by a started program. @throws if it ends or times out */
export async function untilSays(
  program: ChildProcess,
  output: Readable,
  line: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((done, fail) => {
    let printed = ''
    const late = setTimeout(() => fail(new Error(`It said only: ${printed}`)), PATIENCE_MS)
    program.once('error', fail)
    program.once('exit', () => fail(new Error(`It ended and said: ${printed}`)))
    output.on('data', (data: Buffer) => {
      printed += data.toString('utf8')
      const found = line.exec(printed)
      if (!found) return
      clearTimeout(late)
      done(found)
    })
  })
}

export async function untilAnswers(url: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (Date.now() > end) throw new Error(`${url} does not answer`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

export async function stopped(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const end = once(program, 'exit')
  program.kill('SIGTERM')
  await end
}
