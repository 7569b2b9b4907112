import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { answerCache } from './answer-cache.ts'
import { serveNamedFiles } from './static-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-named-'))

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), `content of ${name}`)
  }
}

function site() {
  const app = fastify()
  const outages = { notice: () => null, current: () => null }
  app.decorate(
    'answers',
    answerCache({ version: () => '', isNoOlderThan: () => Promise.resolve(true), outages }),
  )
  return app
}

it('serves files by their names, except those with another address or none', async () => {
  write('sw.js', 'index.html', 'docs.html', 'icons/a.png', 'assets/b.js')
  await using app = site()
  await serveNamedFiles(app, folder, { 'index.html': null, 'docs.html': '/api/docs' })
  const status = async (url: string) => (await app.inject(url)).statusCode
  for (const url of ['/sw.js', '/icons/a.png', '/api/docs']) expect(await status(url)).toBe(200)
  for (const url of ['/index.html', '/docs.html', '/assets/b.js'])
    expect(await status(url)).toBe(404)
  for (const url of ['/sw.js', '/icons/a.png']) {
    const { headers, body, statusCode } = await app.inject({ method: 'HEAD', url })
    expect([statusCode, body]).toEqual([200, ''])
    expect(headers['content-length']).toBe(String(`content of ${url.slice(1)}`.length))
  }
})

it('refuses a file whose media type it does not know', async () => {
  write('notes.xyz')
  await using app = site()
  await expect(serveNamedFiles(app, folder, {})).rejects.toThrow(/media type.*notes\.xyz/)
})
