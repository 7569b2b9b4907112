import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it, afterAll, beforeAll } from 'vitest'
import { widthOf } from '#chart/picture-text.ts'
import { SHARED } from '#server/http/answer-cache.ts'
import { sharpPainter, type Painter } from '#server/publishing/pictures/drawn-pictures.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'
import { unpackedFonts } from '../../bin/lib/fonts.mjs'

const world = onceForFile(testApp, async (site) => {
  await emptied(site)
  await site.imports.prices('btc', closesFile('2023-12-20', Array(25).fill(100)), 'test')
  await site.publish(entry('jane-1'))
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
    expect(await count(changed.rawPayload, COLOURS.hit, 850, 1_150, 40, 130)).toBeGreaterThan(800)
  })

  it('an unpublished prediction has no picture', async () => {
    const site = world()
    expect((await picture(site, 'nobody')).statusCode).toBe(404)
    await site.sql(
      `update predictions set withdrawn_at = now(), withdrawn_reason = 'No.' where id = 'jane-1'`,
    )
    await site.refresh()
    expect((await picture(site, 'jane-1')).statusCode).toBe(404)
  })
})

describe('drawing', () => {
  it("a post's picture is drawn beside those of visitors, and other calls do not wait for them", async () => {
    const paused = pausedPainter()
    await using site = await testApp({ ports: { painter: paused.painter } })
    await site.imports.prices('btc', closesFile('2023-12-20', Array(25).fill(100)), 'test')
    await site.publish(entry('jane-1'), entry('jane-2'))
    const visitor = picture(site, 'jane-1')
    await shows(() => expect(paused.calls()).toBe(1))
    const post = site.pictures.forPost('jane-2')
    await shows(() => expect(paused.calls()).toBe(2))
    for (const url of ['/feed.xml', '/history/btc/picture.svg']) {
      expect([url, (await site.app.inject(url)).statusCode]).toEqual([url, 200])
    }
    paused.release()
    expect((await post).bytes).toHaveLength(3)
    expect((await visitor).statusCode).toBe(200)
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

describe('a text in any script', () => {
  /** Common names and words in their scripts. */
  const NAMES = {
    Latin: 'Łukasz Ωmega Жук – 5%',
    Arabic: 'محمد بن سلمان',
    Persian: 'متنِ فارسی می‌خواهم پژچگ',
    Armenian: 'Հայկ Պետրոսյան',
    Bengali: 'শেখ মুজিব ক্ষ',
    Devanagari: 'श्रीकृष्ण त्रिपाठी नरेन्द्र',
    Ethiopic: 'አበበ በቂላ',
    Georgian: 'გიორგი მელაძე',
    Gujarati: 'ગુજરાતી પટેલ',
    Gurmukhi: 'ਪੰਜਾਬੀ ਸਿੰਘ',
    Hebrew: 'יוסי כהן',
    Japanese: '北尾 吉孝 サトシ・なかもと',
    Kannada: 'ಕನ್ನಡ ರಾಜ',
    Khmer: 'ខ្មែរ សុខ',
    Korean: '김동환 원더프레임',
    Lao: 'ລາວ ສົມຊາຍ',
    Malayalam: 'മലയാളം രാജൻ',
    Myanmar: 'မြန်မာ အောင်',
    Sinhala: 'සිංහල පෙරේරා',
    Tamil: 'தமிழ் செல்வன் ஸ்ரீ',
    Telugu: 'తెలుగు రాజు',
    Thai: 'สมชาย ใจดี',
    Chinese: '赵长鹏 孙宇晨 趙長鵬',
    mixed: 'Ali (علي) 2021 – 赵长鹏',
  }

  const painter = sharpPainter()
  beforeAll(() => unpackedFonts())
  afterAll(painter.close)

  /** A digest of the pixels of a text that begins at x = 10, and the columns in which they are. */
  async function drawn(
    text: string,
    weight = 700,
  ): Promise<{ ink: string; span: [number, number] }> {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="80" font-family="Inter, sans-serif"><rect width="1000" height="80" fill="#fff"/><text x="10" y="50" font-size="40" font-weight="${String(weight)}">${text}</text></svg>`
    const { data, info } = await sharp(await painter.png(svg))
      .trim({ background: '#fff' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const left = -(info.trimOffsetLeft ?? 0)
    return { ink: createHash('sha256').update(data).digest('hex'), span: [left, left + info.width] }
  }

  /** The box with a code point that replaces a missing glyph. */
  const boxed = (letters: string) => letters.replace(/\S/gu, '\u{10330}')

  describe('words in other scripts', () => {
    it.each(Object.entries(NAMES))('%s is drawn within its room', async (_, name) => {
      const { ink, span } = await drawn(name)
      expect(span[0]).toBeGreaterThan(5)
      expect(span[1] - 10).toBeGreaterThan(60)
      expect(span[1] - 10).toBeLessThan(widthOf(name, 40))
      expect(ink).not.toBe((await drawn(boxed(name))).ink)
    })

    it('a bold name differs from a plain one', async () => {
      expect((await drawn(NAMES.mixed)).ink).not.toBe((await drawn(NAMES.mixed, 400)).ink)
    })

    it('letters are joined and diacritics placed', async () => {
      const widthOfInk = async (text: string) => {
        const { span } = await drawn(text)
        return span[1] - span[0]
      }
      expect(await widthOfInk('ههه')).not.toBe(await widthOfInk('ه\u200Cه\u200Cه'))
      // क्ष is a letter of its own, narrower than क and ष one after the other.
      expect(await widthOfInk('क्ष')).toBeLessThan(await widthOfInk('कष'))
    })

    it('a right-to-left name stands in a left-to-right line', async () => {
      const [line, asLine, name, asName] = await Promise.all(
        ['אב CEO', '\u202Aאב CEO\u202C', '\u2068אב CEO\u2069', '\u2067אב CEO\u2069'].map((text) =>
          drawn(text),
        ),
      )
      expect(line).toEqual(asLine)
      // On its own, a right-to-left name has its title after it, on the left.
      expect(name).toEqual(asName)
      expect(name).not.toEqual(line)
    })

    it('Han characters follow the language', async () => {
      const [chinese, japanese, korean] = await Promise.all(
        ['直', '直あ', '直가'].map(async (text) => {
          const { ink } = await drawn(text)
          return ink
        }),
      )
      expect(new Set([chinese, japanese, korean]).size).toBe(3)
    })
  })
})
