import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { MOST_IMAGE_BYTES } from '#domain/publishing/social-post.ts'
import {
  black,
  gif,
  greyPng,
  hugePng,
  JPEG,
  LOSSLESS_WEBP,
  muchBlack,
  noisyJpeg,
  PNG,
  WEBP,
  withPngPart,
} from '#tests/support/pictures.ts'
import { readPicture, shrinkPicture } from './read-picture.ts'

const REAL = [
  ['JPEG', JPEG, 'image/jpeg'],
  ['PNG', PNG, 'image/png'],
  ['WebP', WEBP, 'image/webp'],
  ['lossless WebP', LOSSLESS_WEBP, 'image/webp'],
] as const

async function taken(file: Uint8Array) {
  const read = await readPicture(file)
  if ('fault' in read) throw new Error(read.fault)
  return read
}

async function fault(file: Uint8Array): Promise<string> {
  const read = await readPicture(file)
  return 'fault' in read ? read.fault : 'none'
}

/** Colours of all pixels in order. */
function pixels(file: Uint8Array): Promise<Buffer> {
  return sharp(file, { animated: true }).toColourspace('srgb').removeAlpha().raw().toBuffer()
}

describe('a picture', () => {
  it.each(REAL)('as %s is recognized by its content, and looks the same', async (_, file, type) => {
    const read = await taken(file)
    expect(read).toMatchObject({ type, width: 12, height: 8 })
    const [before, after] = [await pixels(file), await pixels(read.bytes)]
    expect(after.length).toBe(before.length)
    const most = Math.max(...before.map((one, at) => Math.abs(one - (after[at] ?? 0))))
    expect(most).toBeLessThan(type === 'image/jpeg' || file === WEBP ? 48 : 2)
  })

  it('as GIF stays one only if it is animated', async () => {
    expect(await taken(gif(1))).toMatchObject({ type: 'image/png', width: 2, height: 1 })
    const moving = await taken(gif(2))
    expect(moving).toMatchObject({ type: 'image/gif', width: 2, height: 1 })
    expect((await sharp(moving.bytes, { animated: true }).metadata()).pages).toBe(2)
    expect(await taken(moving.bytes)).toMatchObject({ type: 'image/gif', width: 2, height: 1 })
  })

  it('as WebP stays animated', async () => {
    const negative = await sharp(PNG).negate({ alpha: false }).png().toBuffer()
    const joined = await sharp([PNG, negative], { join: { animated: true } })
      .webp()
      .toBuffer()
    const { bytes, ...read } = await taken(joined)
    expect(read).toEqual({ type: 'image/webp', width: 12, height: 8 })
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(2)
  })

  it.each([
    ['JPEG', noisyJpeg(JPEG)],
    [
      'PNG',
      withPngPart(
        withPngPart(PNG, 'tEXt', Buffer.from('a\0secret')),
        'eXIf',
        Buffer.from('secret'),
      ),
    ],
    ['PNG with trailing data', Buffer.concat([PNG, Buffer.from('secret')])],
    ['GIF', gif(2)],
  ])('as %s loses its metadata', async (_, file) => {
    expect(file.toString('latin1')).toContain('secret')
    const { bytes } = await taken(file)
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/secret|GPS|XMP|Exif/)
  })

  it('as WebP loses its metadata', async () => {
    const noisy = await sharp(PNG)
      .withExif({ IFD0: { Copyright: 'secret' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret</x:xmpmeta>')
      .webp()
      .toBuffer()
    expect(noisy.toString('latin1')).toMatch(/secret[^]*secret/)
    const { bytes } = await taken(noisy)
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/secret|EXIF|XMP/)
  })

  it('is rotated by its camera orientation', async () => {
    expect(await taken(noisyJpeg(JPEG, 6))).toMatchObject({ width: 8, height: 12 })
    for (const orientation of [1, 0, 9]) {
      expect(await taken(noisyJpeg(JPEG, orientation))).toMatchObject({ width: 12, height: 8 })
    }
  })

  it('is made narrower until it is small enough', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const create = { width: 301, height: 90, channels: 3, background: '#000', noise } as const
    const file = await sharp({ create }).png().toBuffer()
    expect(await shrinkPicture(file, 4_000)).toMatchObject({ type: 'image/jpeg', width: 168 })
    expect(await shrinkPicture(file, 50)).toHaveProperty('fault')
  })

  it('must not unpack to more than its size', async () => {
    const file = greyPng(9, 5, await muchBlack(250_000_000))
    const before = process.memoryUsage().rss
    expect(await taken(file)).toMatchObject({ width: 9, height: 5 })
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })
})

describe('an unusable picture', () => {
  it.each([
    [
      'a program called photo.jpg',
      Buffer.from('MZ\x90\0 This program cannot be run'),
      /cannot use this file/,
    ],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), /cannot use this file/],
    [
      'a drawing in SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /cannot use this file/,
    ],
    ['40 megapixels', hugePng(8_000, 5_000), /8000 × 5000 pixels.*smaller/],
    ['a decompression bomb', hugePng(0xffffffff, 0xffffffff), /damaged/],
    ['a long strip', hugePng(8_193, 1), /smaller/],
    ['no width', hugePng(0, 5), /damaged/],
    [
      'a wrong checksum',
      Buffer.from(PNG.map((byte, at) => (at === 45 ? byte ^ 1 : byte))),
      /damaged/,
    ],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), /damaged/],
    ['a GIF without a picture', gif(0), /damaged/],
    ['a PNG whose pixels are cut off', greyPng(9, 5, black(5 * 10).subarray(0, -3)), /damaged/],
  ])('is refused: %s', async (_, file, sentence) => {
    expect(await fault(file)).toMatch(sentence)
  })

  it('is refused as a TIFF, which libvips could read', async () => {
    const tiff = await sharp(PNG).tiff().toBuffer()
    expect(await fault(tiff)).toMatch(/cannot use this file/)
  })

  it('is refused as a small file with many frames', async () => {
    // Small frames on a large canvas unpack to its full size.
    const film = gif(101)
    film.writeUInt16LE(2_000, 6)
    film.writeUInt16LE(1_000, 8)
    expect(film.length).toBeLessThan(MOST_IMAGE_BYTES)
    expect(await fault(film)).toMatch(/too many pixels, counting every frame/)
  })

  it.each([...REAL, ['GIF', gif(2), 'image/gif'] as const])(
    'is refused as a %s truncated anywhere',
    async (_, file) => {
      const whole = Buffer.from((await taken(file)).bytes)
      for (let length = 1; length < whole.length - 1; length += 1) {
        const read = await readPicture(whole.subarray(0, length))
        // A file truncated after its last pixel is stored as a complete one.
        const message = 'fault' in read ? read.fault : await fault(read.bytes)
        expect(message).toMatch(/incomplete|cannot use this file|none/)
      }
      expect(await fault(whole.subarray(0, whole.length >> 1))).toMatch(/incomplete/)
    },
  )
})
