import { widthOf } from '#chart/picture-text.ts'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackedFonts } from '../../bin/lib/fonts.mjs'
import { sharpPainter } from '#server/publishing/pictures/drawn-pictures.ts'

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

const { png, close } = sharpPainter()
beforeAll(() => unpackedFonts())
afterAll(close)

/** A digest of the pixels of a text that begins at x = 10, and the columns in which they are. */
async function drawn(text: string, weight = 700): Promise<{ ink: string; span: [number, number] }> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="80" font-family="Inter, sans-serif"><rect width="1000" height="80" fill="#fff"/><text x="10" y="50" font-size="40" font-weight="${String(weight)}">${text}</text></svg>`
  const { data, info } = await sharp(await png(svg))
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
    expect(ink).not.toBe((await drawn(name, 400)).ink)
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
    // In a name of its own the title comes after, which is on the left.
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
