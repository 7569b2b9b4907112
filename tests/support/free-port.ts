import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections, which could take one before its server opens it. */
const [FROM, TO] = [11_000, 32_000]

export async function freePort(): Promise<number> {
  const port = randomInt(FROM, TO)
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return await freePort()
  }
  await new Promise((done) => probe.close(done))
  return port
}
