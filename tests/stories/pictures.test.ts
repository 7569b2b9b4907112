import { SHARED } from '#server/http/cache-control.ts'
import { sharpPainter, type Painter } from '#server/publishing/pictures/drawn-pictures.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'

const world = onceForFile(testApp, async (site) => {
  await emptied(site)
  await site.imports.prices('btc', closesFile('2023-12-20', Array(25).fill(100)), 'test')
  await site.imports.predictions(JSON.stringify([entry('jane-1')]))
  await site.refresh()
})

type Place = readonly [x0: number, x1: number, y0: number, y1: number]

/** The colours of an area of a PNG row by row, each in six hex digits. */
async function part(png: Uint8Array, ...[x0, x1, y0, y1]: Place): Promise<string[]> {
  const place = { left: x0, top: y0, width: x1 - x0, height: y1 - y0 }
  const hex = (await sharp(png).extract(place).removeAlpha().raw().toBuffer()).toString('hex')
  return hex.match(/.{6}/g) ?? []
}

/** The number of pixels with this colour in an area. */
async function count(png: Uint8Array, colour: string, ...place: Place): Promise<number> {
  return (await part(png, ...place)).filter((one) => one === colour).length
}

async function sizeOf(png: Uint8Array): Promise<unknown> {
  const { format, width, height } = await sharp(png).metadata()
  return [format, width, height]
}

/** Draws nothing until it is released. */
function pausedPainter(): { painter: Painter; calls: () => number; release: () => void } {
  const released = Promise.withResolvers<void>()
  let count = 0
  return {
    painter: {
      png: async () => {
        count += 1
        await released.promise
        return new Uint8Array(3)
      },
      close: () => Promise.resolve(),
    },
    calls: () => count,
    release: released.resolve,
  }
}

async function picture(site: TestApp, id: string, headers: Record<string, string> = {}) {
  const url = `/predictions/${encodeURIComponent(id)}/picture.png`
  return site.app.inject({ method: 'GET', url, headers })
}

const COLOURS = { miss: 'c42b2b', hit: '0b7a41', ink: '14171f', brand: 'f7931a', ink2: '5a6372' }

describe('the picture of a prediction', () => {
  it('shows name, claim, chart and verdict in the style of the site', async () => {
    const site = world()
    const response = await picture(site, 'jane-1')
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': SHARED,
    })
    const { rawPayload: png } = response
    expect(await sizeOf(png)).toEqual(['png', 1_200, 675])
    expect(await part(png, 600, 601, 4, 5)).toEqual([COLOURS.brand])
    // Words of the claim, the stamp of a miss at the right, the price line in the panel.
    expect(await count(png, COLOURS.ink, 56, 800, 90, 220)).toBeGreaterThan(2_000)
    expect(await count(png, COLOURS.miss, 900, 1_150, 40, 130)).toBeGreaterThan(800)
    expect(await count(png, COLOURS.brand, 120, 1_100, 250, 590)).toBeGreaterThan(500)
    // Alternative text.
    const { alt } = await site.pictures.forPost('jane-1')
    expect(alt).toBe(
      'Chart: Expert A: Bitcoin at $150 by 10/01/2024. Missed. The highest close before the deadline was $100 (2 Jan 2024), 33% short.',
    )
  })

  it('is sent once to a browser that has it, and again after a new verdict', async () => {
    const site = world()
    const first = await picture(site, 'jane-1')
    const etag = String(first.headers['etag'])
    const again = await picture(site, 'jane-1', { 'if-none-match': `"other", W/${etag}` })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    await site.imports.prices('btc', closesFile('2024-01-05', [160]), 'test')
    await site.refresh()
    const changed = await picture(site, 'jane-1', { 'if-none-match': etag })
    expect(changed.statusCode).toBe(200)
    expect(changed.headers['etag']).not.toBe(etag)
    const hits = await count(changed.rawPayload, COLOURS.hit, 850, 1_150, 40, 130)
    expect(hits).toBeGreaterThan(800)
  })

  it('shows a name in every script, and supports ids with special characters', async () => {
    const site = world()
    const names = { 'jané 2': '日本', arabic: 'علي', arabic2: 'يلع', old: '𐎠𐎭' }
    await site.imports.predictions(
      JSON.stringify(
        Object.entries(names).map(([id, name]) => entry(id, { expert_name: name, handle: '' })),
      ),
    )
    await site.refresh()
    const drawn: string[] = []
    for (const id of Object.keys(names)) {
      const response = await picture(site, id)
      expect(response.statusCode).toBe(200)
      // The name is drawn, and no two look alike.
      const name = await part(response.rawPayload, 56, 500, 50, 95)
      expect(name.filter((one) => one === COLOURS.ink2).length).toBeGreaterThan(100)
      drawn.push(name.join())
    }
    expect(new Set(drawn).size).toBe(drawn.length)
    const { alt } = await site.pictures.forPost('jané 2')
    expect(alt).toMatch(/^Chart: 日本: Bitcoin/)
  })

  it('an unpublished prediction has no picture', async () => {
    const site = world()
    expect((await picture(site, 'nobody')).statusCode).toBe(404)
    await site.database.pool.query(
      `update predictions set withdrawn_at = now(), withdrawn_reason = 'No.' where id = 'jane-1'`,
    )
    await site.refresh()
    expect((await picture(site, 'jane-1')).statusCode).toBe(404)
  })
})

describe('drawing', () => {
  it('pictures are queued, rejected if the queue is full, and delay nothing else', async () => {
    const paused = pausedPainter()
    await using site = await testApp({ ports: { painter: paused.painter } })
    await site.imports.prices('btc', closesFile('2023-12-20', Array(25).fill(100)), 'test')
    const ids = Array.from({ length: 45 }, (_, i) => `jane-${String(i)}`)
    await site.imports.predictions(JSON.stringify(ids.map((id) => entry(id))))
    await site.refresh()
    const beyond: Awaited<ReturnType<typeof picture>>[] = []
    const all = ids.map(async (id) => {
      const answer = await picture(site, id)
      if (answer.statusCode !== 200) beyond.push(answer)
      return answer.statusCode
    })
    // While 41 wait, further ones are answered, and so is everything else.
    await shows(() =>
      expect(beyond.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429, 429]),
    )
    expect(beyond[0]?.headers['retry-after']).toBe('5')
    expect(beyond[0]?.json()).toMatchObject({
      code: 'too_many',
      message: 'Many pictures are being drawn right now. Please try again in a few seconds.',
    })
    for (const url of [
      '/api/predictions',
      '/feed.xml',
      '/api/v1/page?url=%2Fpredictions%2Fjane-44',
      '/history/btc/picture.svg',
    ]) {
      expect([url, (await site.app.inject(url)).statusCode]).toEqual([url, 200])
    }
    // The site's own posts do not wait behind visitors.
    const post = site.pictures.forPost('jane-44')
    await shows(() => expect(paused.calls()).toBe(2))
    paused.release()
    expect((await post).bytes).toHaveLength(3)
    const answers = await Promise.all(all)
    expect(answers.filter((status) => status === 200)).toHaveLength(41)
    expect((await picture(site, ids[answers.indexOf(429)] ?? '')).statusCode).toBe(200)
  })

  it('continues after markup that cannot be drawn, and after its process has died', async () => {
    const painter = sharpPainter({ idleMs: 1 })
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1"/>'
    await expect(painter.png('<svg')).rejects.toThrow(/cannot be drawn/)
    const drawn = async () => sizeOf(await painter.png(svg))
    const small = ['png', 2, 1]
    expect(await drawn()).toEqual(small)
    expect(await Promise.all([drawn(), drawn()])).toEqual([small, small])
    await painter.close()
    expect(await drawn()).toEqual(small)
    await painter.close()
  })
})
