import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { programOf } from './binaries.ts'
import { runProgram } from './cluster.ts'
import { EmbeddedFailure, failureOfPostgres, type StoreLog } from './failure.ts'
import { readPidFile } from './pid-file.ts'
import { type UsablePlace } from './place.ts'
import { isServerOf } from './process.ts'
import { settingsFor, type Server } from './server.ts'

const LOOK_EVERY_MS = 1_000

/**
 * Starts the server on Windows: through pg_ctl, which sheds administrator rights that PostgreSQL refuses and which is
 * the only clean way to stop it, and on a port of 127.0.0.1 with a password.
 */
export async function startWindowsServer(
  usable: UsablePlace,
  durable: boolean,
  log: StoreLog,
): Promise<Server> {
  const { place, binaries, launcher } = usable
  const control = (words: readonly string[], doing: string): Promise<void> =>
    runProgram(launcher, programOf(binaries, 'pg_ctl'), [...words, '-D', place.data, '-w'], doing)
  const stop = (): Promise<void> =>
    control(['stop', '-m', 'fast'], `stop the database in ${place.folder}`)

  const left = readPidFile(place.data)
  if (left !== null && isServerOf(left.pid, place.data)) {
    log.warn('Stopping a PostgreSQL server that an earlier run left.')
    await stop()
  }
  const port = await freePort()
  const report = `${place.data}.log`
  const settings = settingsFor(durable, { listen_addresses: '127.0.0.1' }).join(' ')
  try {
    await control(
      ['start', '-l', report, '-o', `-p ${String(port)} ${settings}`],
      `start the database in ${place.folder}`,
    )
  } catch (error) {
    throw failureOfPostgres(
      `start the database in ${place.folder}`,
      `${String(error)}\n${tail(report)}`,
    )
  }
  const pid = readPidFile(place.data)?.pid
  if (pid === undefined) throw new EmbeddedFailure('PostgreSQL ended right after its start.')
  return { pid, host: '127.0.0.1', port, ended: endOf(pid, place.data, report), stop }
}

/** It is a grandchild, so the system does not notify us when it ends. */
async function endOf(pid: number, data: string, report: string): Promise<string> {
  while (isServerOf(pid, data)) await pause(LOOK_EVERY_MS, undefined, { ref: false })
  return tail(report)
}

function tail(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(-20).join('\n')
  } catch {
    return ''
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (typeof address === 'object' && address) done(address.port)
        else fail(new EmbeddedFailure('There is no free port for PostgreSQL.'))
      })
    })
  })
}
