import { escapeMarkup } from '#domain/clean-text.ts'
import { bareHandle, isolatedName } from '#domain/people/name.ts'
import { THEMES } from './theme.ts'

export const PICTURE_FONT = 'Inter, Helvetica, Arial, sans-serif'

const THEME = THEMES.light

/** Characters of the font: Latin with accents, Greek, Cyrillic, and common symbols. */
const PLAIN =
  /^[\u0020-\u024f\u0370-\u03ff\u0400-\u04ff\u1e00-\u1eff\u2010-\u2044\u20a0-\u20bf\u2122\u2190-\u2193\u2212\u2248\u2264\u2265]*$/

const SCRIPTS = [
  'Latin Greek Cyrillic Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Han Hangul Hebrew',
  'Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Sinhala Tamil Telugu Thai Common Inherited',
].flatMap((names) => names.split(' '))
const DRAWABLE = new RegExp(`^[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')}]*$`, 'u')

export function isDrawable(text: string): boolean {
  return DRAWABLE.test(text)
}

export function nameInPicture(name: string, handle: string | null = null): string {
  const written = name
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  if (written !== '' && isDrawable(written)) return written
  const isReadable = handle !== null && PLAIN.test(handle.normalize('NFC'))
  return isReadable ? `@${bareHandle(handle)}` : 'Name: see the page'
}

/** A picture on the page colour, with a brand line along its top. */
export function pictureMarkup(
  { width, height }: { readonly width: number; readonly height: number },
  title: string,
  parts: readonly string[],
): string {
  const size = `width="${String(width)}" height="${String(height)}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" ${size} font-family="${PICTURE_FONT}">`,
    title,
    `<rect ${size} fill="${THEME.page}"/>`,
    `<rect width="${String(width)}" height="8" fill="${THEME.brand}"/>`,
    ...parts,
    '</svg>',
  ].join('')
}

/** A readable address without protocol: `example.org/experts/tom-lee`. */
export function addressText(origin: string, path: string): string {
  const bare = origin.replace(/^https?:\/\//, '')
  return bare + (path === '/' ? '' : decodeURI(path))
}

export type PictureSite = { readonly siteName: string; readonly address: string }

export function footOf(
  { siteName, address }: PictureSite,
  { left, right, y }: { readonly left: number; readonly right: number; readonly y: number },
): string {
  const size = 26
  const room = right - left - 54 - widthOf(siteName, 28) - 32
  const quiet = { size, weight: 600, colour: THEME.ink2, end: true }
  return [
    // Logo and name, 28 px high.
    `<g transform="translate(${String(left)} ${String(y - 30)}) scale(1.25)"><rect width="32" height="32" rx="7" fill="${THEME.brand}"/><path d="M6 11h20" stroke="${THEME.onBrand}" stroke-width="2" stroke-dasharray="2.5 2.5"/><path d="m6 24 5-5 4 3 8-11" fill="none" stroke="${THEME.onBrand}" stroke-width="2.75" stroke-linecap="round" stroke-linejoin="round"/><circle cx="23" cy="11" r="3.25" fill="${THEME.onBrand}"/></g>`,
    textOf(siteName, left + 54, y, { size: 28, weight: 700, colour: THEME.ink }),
    textOf(fitted(address, size, room), right, y, quiet),
  ].join('')
}

export function textOf(
  text: string,
  x: number,
  y: number,
  look: { size: number; weight: number; colour: string; end?: boolean },
): string {
  const { size, weight, colour, end = false } = look
  const anchor = end ? ' text-anchor="end"' : ''
  const tight = size >= 28 ? ` letter-spacing="${String(Math.round(size * -2) / 100)}"` : ''
  return `<text x="${String(Math.round(x))}" y="${String(Math.round(y))}" font-size="${String(size)}" font-weight="${String(weight)}" fill="${colour}"${anchor}${tight}>${escapeMarkup(text)}</text>`
}

export function linesOf(text: string, size: number, room: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`, size) <= room) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

/** Breaks a text into lines of similar length, to avoid a single word on the last line. */
export function balanced(text: string, size: number, room: number): string[] {
  let lines = linesOf(text, size, room)
  for (let narrower = room - 20; narrower > 0; narrower -= 20) {
    const next = linesOf(text, size, narrower)
    if (next.length > lines.length || next.some((line) => widthOf(line, size) > narrower)) break
    lines = next
  }
  return lines
}

/** Truncates a text to fit, at grapheme boundaries. */
export function fitted(text: string, size: number, room: number): string {
  if (widthOf(text, size) <= room) return text
  const fitting = [...graphemes.segment(text)].map(({ segment }) => segment)
  while (fitting.length > 0 && widthOf(`${fitting.join('')}…`, size) > room) fitting.pop()
  return `${fitting.join('').trim()}…`
}

export function fittedName(name: string, size: number, room: number): string {
  return isolatedName(fitted(name, size, room))
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Width in bold letters, pixels; rather over- than underestimated. */
export function widthOf(text: string, size: number): number {
  return Array.from(text, emOf).reduce((sum, em) => sum + em, 0) * size
}

const WIDE =
  /[\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Sinhala}\p{Script=Ethiopic}]/u

function emOf(sign: string): number {
  if (/[\s.,:;'’|!ijlI()[\]]/.test(sign)) return 0.32
  if (/[ftr-]/.test(sign)) return 0.44
  if (/[mwMW@%—…]/.test(sign)) return 0.94
  if (/[A-Z]/.test(sign)) return 0.69
  if (sign <= '\u024f') return 0.64
  if (/[\p{Mn}\p{Cf}]/u.test(sign)) return 0
  if (/\p{Extended_Pictographic}/u.test(sign)) return 1.3
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign))
    return 1
  return WIDE.test(sign) ? 1.1 : 0.8
}
