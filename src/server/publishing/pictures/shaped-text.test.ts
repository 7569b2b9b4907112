import { widthOf } from '#chart/picture-text.ts'
import { describe, expect, it } from 'vitest'
import { fontFor } from './picture-fonts.ts'
import { withShapedText } from './shaped-text.ts'

/** Common names and words in their scripts. */
const NAMES = {
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

function written(text: string, attributes = ''): string {
  return `<text x="10" y="50" font-size="40" font-weight="700" fill="#000"${attributes}>${text}</text>`
}

/** The outline of a text that begins at `x` = 10. */
async function outline(text: string, attributes = ''): Promise<string> {
  const svg = await withShapedText(written(text, attributes))
  expect(svg).not.toContain('<text')
  return / d="([^"]*)"/.exec(svg)?.[1] ?? ''
}

/** Its least and its greatest place from left to right, control points included. */
function spanOf(path: string): [number, number] {
  const xs = [...path.matchAll(/(-?[\d.]+) -?[\d.]+/g)].map(([, x]) => Number(x))
  return [Math.min(...xs), Math.max(...xs)]
}

describe('words in other scripts', () => {
  it.each(Object.entries(NAMES))(
    'a font has every letter of %s, and they take no more room than was counted on',
    async (_, name) => {
      const letters = name.match(/\P{Default_Ignorable_Code_Point}/gu) ?? []
      for (const letter of letters) {
        const at = letter.codePointAt(0) ?? 0
        expect([letter, await fontFor([at], { weight: 700, within: name })]).toEqual([
          letter,
          expect.objectContaining({ isWhole: true }),
        ])
      }
      const [left, right] = spanOf(await outline(name))
      expect(left).toBeGreaterThan(5)
      expect(right - 10).toBeGreaterThan(60)
      expect(right - 10).toBeLessThan(widthOf(name, 40))
    },
  )

  it('words that the own font has are left to it, with their marks of markup', async () => {
    const svg = `<svg>${written('Łukasz &amp; Ωmega Жук – 5 %')}<path d="M0,0"/></svg>`
    expect(await withShapedText(svg)).toBe(svg)
  })

  it('a name from right to left begins at the right, in a line that goes from left to right', async () => {
    const [first, second] = [await outline('א'), await outline('ב')]
    const both = await outline('אב')
    expect(both.startsWith(second)).toBe(true)
    expect(both.startsWith(first)).toBe(false)
    // In a name of its own the year comes after, which is on the left; in a sentence it does not.
    expect((await outline('\u2068אב CEO\u2069')).startsWith(second)).toBe(false)
    expect((await outline('אב CEO')).startsWith(second)).toBe(true)
  })

  it('letters are joined, and marks are put on them', async () => {
    const alone = spanOf(await outline('ه'))
    const joined = spanOf(await outline('ههه'))
    expect(joined[1] - joined[0]).not.toBeCloseTo(3 * (alone[1] - alone[0]), 0)
    // क्ष is a letter of its own, narrower than क and ष one after the other.
    const [, stacked] = spanOf(await outline('क्ष'))
    const [, apart] = spanOf(await outline('कष'))
    expect(stacked).toBeLessThan(apart)
  })

  it('words are put where they end, and keep their colour and edge', async () => {
    const look = ' stroke="#FFF" stroke-width="3" text-anchor="end" letter-spacing="-0.8"'
    const svg = await withShapedText(written('日本', look))
    expect(svg).toMatch(/^<path d="[^"]+" fill="#000" stroke="#FFF" stroke-width="3"\/>$/)
    expect(spanOf(await outline('日本', look))[1]).toBeLessThanOrEqual(10)
    expect(spanOf(await outline('日本'))[0]).toBeGreaterThanOrEqual(10)
  })

  it('a letter that no font has is a box, a sign that no font has is left out', async () => {
    expect(await outline('日𪚥')).toBe(await outline('日□'))
    expect(await outline('日\u{1F8F5}')).toBe(await outline('日'))
  })

  it('an emoji of several signs is drawn, and so are other weights', async () => {
    expect(await outline('🇩🇪')).not.toBe(await outline('🇩'))
    const light = await withShapedText(written('日').replace('700', '400'))
    expect(light).not.toBe(await withShapedText(written('日')))
  })
})
