import {
  gif,
  hugePng,
  JPEG,
  LOSSLESS_WEBP,
  noisyJpeg,
  noisyWebp,
  PNG,
  WEBP,
  withPngPart,
} from '#tests/support/pictures.ts'
import { describe, expect, it } from 'vitest'
import { isImageFault, MOST_IMAGE_BYTES, readImage } from './image-file.ts'

const REAL = [
  ['JPEG', JPEG, 'image/jpeg'],
  ['PNG', PNG, 'image/png'],
  ['WebP', WEBP, 'image/webp'],
  ['lossless WebP', LOSSLESS_WEBP, 'image/webp'],
] as const

function taken(file: Uint8Array) {
  const read = readImage(file)
  if (isImageFault(read)) throw new Error(read.fault)
  return read
}

function fault(file: Uint8Array): string {
  const read = readImage(file)
  return isImageFault(read) ? read.fault : 'none'
}

describe('a picture', () => {
  it.each(REAL)('as %s is known by what is in it', (_, file, type) => {
    expect(taken(file)).toMatchObject({ type, width: 12, height: 8, isMoving: false })
  })

  it.each(REAL)('as %s stays the same when it is read again', (_, file) => {
    const once = taken(file).bytes
    expect(Buffer.from(taken(once).bytes).equals(once)).toBe(true)
  })

  it('as GIF moves when there is more than one in it', () => {
    expect(taken(gif(1))).toMatchObject({ type: 'image/gif', width: 2, height: 1, isMoving: false })
    expect(taken(gif(2))).toMatchObject({ isMoving: true })
  })

  it.each([
    ['JPEG', noisyJpeg(JPEG), JPEG.length + 36],
    [
      'PNG',
      withPngPart(
        withPngPart(PNG, 'tEXt', Buffer.from('a\0secret')),
        'eXIf',
        Buffer.from('secret'),
      ),
      PNG.length,
    ],
    ['PNG with something behind its end', Buffer.concat([PNG, Buffer.from('secret')]), PNG.length],
    ['WebP', noisyWebp(WEBP), WEBP.length + 18],
    ['GIF', gif(2), gif(2).length - 10 - 19],
  ])('as %s loses its metadata and nothing else', (_, file, most) => {
    const { bytes } = taken(file)
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/secret|GPS|XMP/)
    expect(bytes.length).toBeLessThanOrEqual(most)
    expect(bytes.length).toBeGreaterThan(most - 20)
  })

  it('keeps which side of a JPEG is up, where it is another one', () => {
    const turned = Buffer.from(taken(noisyJpeg(JPEG, 6)).bytes)
    expect(turned.includes(Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]))).toBe(true)
    for (const orientation of [1, 0, 9]) {
      expect(Buffer.from(taken(noisyJpeg(JPEG, orientation)).bytes).includes('Exif')).toBe(false)
    }
  })
})

describe('what is no picture the site can use', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), /empty/],
    [
      'a program called photo.jpg',
      Buffer.from('MZ\x90\0 This program cannot be run'),
      /no picture/,
    ],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), /no picture/],
    ['a drawing in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /no picture/],
    ['40 megapixels', hugePng(8_000, 5_000), /8000 × 5000 pixels.*smaller/],
    ['a bomb', hugePng(0xffffffff, 0xffffffff), /smaller/],
    ['a long strip', hugePng(8_193, 1), /smaller/],
    ['no width', hugePng(0, 5), /damaged/],
    ['more than 5 MB', Buffer.concat([JPEG, Buffer.alloc(MOST_IMAGE_BYTES)]), /5 MB/],
    [
      'a wrong checksum',
      Buffer.from(PNG.map((byte, at) => (at === 45 ? byte ^ 1 : byte))),
      /damaged/,
    ],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), /damaged/],
    ['a GIF without a picture', gif(0), /damaged/],
  ])('%s', (_, file, sentence) => {
    expect(fault(file)).toMatch(sentence)
  })

  it.each([...REAL, ['GIF', gif(2), 'image/gif'] as const])('a %s cut off anywhere', (_, file) => {
    const whole = Buffer.from(taken(file).bytes)
    for (let length = 1; length < whole.length; length += 1) {
      expect(fault(whole.subarray(0, length))).not.toBe('none')
    }
    expect(fault(whole.subarray(0, whole.length - 1))).toMatch(/incomplete/)
  })

  it('is never thrown for bytes at random', () => {
    let seed = 7
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647)
    for (const [, file] of REAL) {
      for (let round = 0; round < 300; round += 1) {
        const bad = Buffer.from(file)
        for (let n = 0; n < 4; n += 1) bad[4 + (random() % (bad.length - 4))] = random() % 256
        expect(() => readImage(bad)).not.toThrow()
      }
    }
  })
})
