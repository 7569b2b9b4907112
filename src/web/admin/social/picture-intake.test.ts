import { describe, expect, it } from 'vitest'
import { hugePng, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { centreCut, isSoft } from './crop.ts'
import { readSource } from './picture-intake.ts'

describe('a file that is given', () => {
  it.each([
    [
      'a renamed executable',
      new Uint8Array(Buffer.from('MZ\u0090\0 a program')),
      /no picture the site can use/,
    ],
    [
      'a drawing in text',
      new Uint8Array(Buffer.from('<svg xmlns="x"/>')),
      /no picture the site can use/,
    ],
    ['an empty file', new Uint8Array(), /empty/],
    ['a truncated picture', new Uint8Array(PNG.subarray(0, PNG.length - 20)), /ends too early/],
    [
      'a picture of 40 megapixels',
      new Uint8Array(hugePng(8_000, 5_000)),
      /8000 × 5000 pixels, which is too many/,
    ],
  ])('is not taken: %s', async (_, bytes, expected) => {
    // Whatever its name and its type say.
    const file = new File([bytes], 'photo.jpg', { type: 'image/jpeg' })
    expect(await readSource(file)).toMatch(expected)
  })

  it('is taken for what is in it', async () => {
    const file = new File([new Uint8Array(noisyJpeg(JPEG))], 'photo.exe', { type: '' })
    const source = await readSource(file)
    expect(source).toMatchObject({ width: 12, height: 8, file: { type: 'image/jpeg' } })
    if (typeof source !== 'string') URL.revokeObjectURL(source.address)
  })
})

describe('the piece that is shown', () => {
  it.each([
    ['a square', { width: 1_600, height: 1_600 }, { x: 0, y: 350, width: 1_600, height: 900 }],
    ['a panorama', { width: 3_000, height: 900 }, { x: 700, y: 0, width: 1_600, height: 900 }],
    ['16:9', { width: 1_200, height: 675 }, { x: 0, y: 0, width: 1_200, height: 675 }],
  ])('is the middle of %s', (_, size, cut) => expect(centreCut(size)).toEqual(cut))

  it('looks soft below the size that is uploaded', () => {
    expect(isSoft({ width: 1_199.4 })).toBe(true)
    expect(isSoft({ width: 1_199.6 })).toBe(false)
  })
})
