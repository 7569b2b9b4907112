import { expect, it } from 'vitest'
import { SILENT } from '#tests/support/test-site.ts'
import { drawnPictures, type Drawing } from './drawn-pictures.ts'

/** Pictures of 10 MB each, drawn one per call of `finish`. */
function world() {
  const begun: { svg: string; end: (bytes: Uint8Array) => void; fail: () => void }[] = []
  let markups = 0
  const drawn = drawnPictures({
    painter: {
      png: (svg) =>
        new Promise((end, reject) => {
          begun.push({ svg, end, fail: () => reject(new Error('no paint')) })
        }),
      close: () => Promise.resolve(),
    },
    log: SILENT,
  })
  const drawing = (name: string, etag = '1'): Drawing => ({
    name,
    etag,
    svg: () => {
      markups += 1
      return `${name} ${etag}`
    },
  })
  return {
    begun,
    markups: () => markups,
    ask: (name: string, etag?: string) => drawn.png(drawing(name, etag)),
    askForPost: (name: string) => drawn.png(drawing(name), false),
    svg: (name: string, etag?: string) => drawn.svg(drawing(name, etag)),
    finish: async (): Promise<void> => {
      await settled()
      begun.at(-1)?.end(new Uint8Array(10_000_000))
      await settled()
    },
  }
}

/** Runs all pending microtasks. */
async function settled(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await Promise.resolve()
}

it('draws a picture once for all concurrent and later requests', async () => {
  const { ask, begun, finish } = world()
  const all = Array.from({ length: 10 }, () => ask('one'))
  await finish()
  await Promise.all(all)
  await ask('one')
  expect(begun.map(({ svg }) => svg)).toEqual(['one 1'])
  const changed = ask('one', '2')
  await finish()
  await changed
  expect(begun.map(({ svg }) => svg)).toEqual(['one 1', 'one 2'])
})

it('draws one picture at a time, queues 40, and refuses more', async () => {
  const { ask, begun, finish, markups } = world()
  const all = Array.from({ length: 60 }, (_, i) => ask(String(i)))
  const answers = Promise.allSettled(all)
  await settled()
  expect(begun).toHaveLength(1)
  expect(markups()).toBe(1)
  for (let i = 1; i <= 41; i += 1) {
    await finish()
    expect(begun).toHaveLength(Math.min(i + 1, 41))
  }
  const refused = (await answers).flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  )
  expect(refused).toHaveLength(19)
  for (const reason of refused) {
    expect(reason).toMatchObject({
      code: 'too_many',
      message: 'Many pictures are being drawn right now. Please try again in a few seconds.',
      retryAfterS: 5,
    })
  }
  const later = ask('59')
  await finish()
  expect(await later).toHaveLength(10_000_000)
})

it("draws a post's picture before those of visitors", async () => {
  const { ask, askForPost, begun, finish } = world()
  const visitors = Promise.allSettled(Array.from({ length: 60 }, (_, i) => ask(String(i))))
  await settled()
  const post = askForPost('of a post')
  expect(begun.map(({ svg }) => svg)).toEqual(['0 1', 'of a post 1'])
  await finish()
  expect(await post).toHaveLength(10_000_000)
  begun[0]?.end(new Uint8Array(1))
  for (let i = 0; i < 41; i += 1) await finish()
  await visitors
})

it('limits the memory of cached pictures', async () => {
  const { ask, begun, finish } = world()
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const one = ask(name)
    await finish()
    await one
  }
  // Four of 10 MB fit: the newest are cached, the oldest is drawn again.
  await ask('b')
  expect(begun).toHaveLength(5)
  const again = ask('a')
  await settled()
  expect(begun).toHaveLength(6)
  await finish()
  await again
})

it('reports a picture that cannot be drawn, and draws the next one', async () => {
  const { ask, begun, finish } = world()
  const broken = ask('one')
  const next = ask('two')
  await settled()
  begun[0]?.fail()
  await expect(broken).rejects.toMatchObject({ code: 'unavailable', retryAfterS: 5 })
  await finish()
  expect(await next).toHaveLength(10_000_000)
  const again = ask('one')
  await finish()
  expect(await again).toHaveLength(10_000_000)
})

it('caches an SVG until its content changes', () => {
  const { svg, markups } = world()
  expect(Buffer.from(svg('one')).toString()).toBe('one 1')
  svg('one')
  expect(markups()).toBe(1)
  expect(Buffer.from(svg('one', '2')).toString()).toBe('one 2')
  expect(markups()).toBe(2)
})
