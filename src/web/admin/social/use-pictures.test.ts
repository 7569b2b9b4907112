import { describe, expect, it } from 'vitest'
import { centreCut, isSoft, readSource } from './use-pictures.ts'

// Corrupt and huge pictures need a browser with decoders: see publish.spec.ts.
it.each([
  [
    'a renamed executable',
    new Uint8Array(Buffer.from('MZ\u0090\0 a program')),
    /cannot use this file/,
  ],
  ['a drawing in text', new Uint8Array(Buffer.from('<svg xmlns="x"/>')), /cannot use this file/],
  ['an empty file', new Uint8Array(), /empty/],
])('a picture file is rejected: %s', async (_, bytes, expected) => {
  const file = new File([bytes], 'photo.jpg')
  expect(await readSource(file)).toMatch(expected)
})

describe('the default crop', () => {
  it.each([
    ['a square', { width: 1_600, height: 1_600 }, { x: 0, y: 350, width: 1_600, height: 900 }],
    ['a panorama', { width: 3_000, height: 900 }, { x: 700, y: 0, width: 1_600, height: 900 }],
    ['16:9', { width: 1_200, height: 675 }, { x: 0, y: 0, width: 1_200, height: 675 }],
  ])('is the centre of %s', (_, size, cut) => expect(centreCut(size)).toEqual(cut))

  it('is marked as soft below the upload size', () => {
    expect(isSoft({ width: 1_199.4 })).toBe(true)
    expect(isSoft({ width: 1_199.6 })).toBe(false)
  })
})
