import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parsePosts } from './parse-posts.ts'

const file = (posts: unknown) => JSON.stringify(posts)
const POST = { id: 'a1', text: 'BTC $150k by EOY', author_handle: '@expert_a', date: '2026-03-10' }

it('parse-posts prints the fields of a post with their words', async () => {
  expect(await parsePosts('x.json', file([POST]))).toEqual([
    {
      id: 'a1',
      has_prediction: true,
      asset_type: 'btc',
      prediction_type: 'target',
      price_target: 150_000,
      price_min: null,
      price_max: null,
      target_time: '2026-12-31',
      timing: 'by',
      direction: null,
      spans: {
        asset_type: { start: 0, end: 3, words: 'BTC' },
        prediction_type: { start: 4, end: 9, words: '$150k' },
        price_target: { start: 4, end: 9, words: '$150k' },
        target_time: { start: 10, end: 16, words: 'by EOY' },
      },
    },
  ])
})

it('parse-posts exits silently when its reader closes the pipe, as `| head` does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-cli-'))
  try {
    const posts = join(folder, 'posts.json')
    // More than a pipe buffers.
    writeFileSync(posts, file(Array.from({ length: 500 }, () => POST)))
    const cli = join(import.meta.dirname, '../cli.ts')
    const child = spawn(process.execPath, [cli, 'parse-posts', posts, '--json'])
    let message = ''
    child.stderr.on('data', (text: Buffer) => (message += text.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    const [status] = (await once(child, 'close')) as [number | null]
    expect([status, message]).toEqual([0, ''])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
