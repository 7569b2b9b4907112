import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hotList, largeList, weightOf } from './hot-list.ts'
import { accepts } from './send-hot.ts'

const PARTS = Array.from({ length: 400 }, (_, n) => `part ${String(n)} of a list – `)

describe('an answer made ready', () => {
  it('an answer packed part by part is the same as one packed at once', async () => {
    const text = PARTS.join('')
    const [whole, large] = [await hotList(text), await largeList(PARTS)]
    expect(large.etag).toBe(whole.etag)
    for (const list of [whole, large]) {
      expect(brotliDecompressSync(list.br ?? '').toString()).toBe(text)
      expect(gunzipSync(list.gzip).toString()).toBe(text)
    }
    expect([whole.plain?.toString(), large.plain]).toEqual([text, null])
  })

  it('a part that cannot be written fails the answer, and leaves nothing behind', async () => {
    function* parts() {
      yield 'the first part'
      throw new Error('no second part')
    }
    await expect(largeList(parts())).rejects.toThrow('no second part')
  })

  it('an answer of millions of bytes is held packed only', async () => {
    const text = PARTS.join('').repeat(250)
    const list = await hotList(text)
    expect(gunzipSync(list.gzip).toString()).toBe(text)
    expect(list.plain).toBeNull()
    expect(weightOf(list)).toBeLessThan(text.length / 2)
  })

  it.each([
    ['br', true],
    ['gzip, br;q=0.5', true],
    ['gzip', false],
    ['br;q=0', false],
    ['br; q=0.000', false],
  ])('%s takes Brotli: %s', (header, takes) => {
    expect(accepts(header, 'br')).toBe(takes)
  })
})
