import { SITE_THEMES } from './site-theme.ts'
import { escapeXml } from './svg.ts'

/** The family name in the site's font files. */
export const PICTURE_FONT = 'Inter'

const THEME = SITE_THEMES.light

/** Characters of the font: Latin with accents, Greek, Cyrillic, and the usual signs. */
const DRAWABLE =
  /^[\u0020-\u024f\u0370-\u03ff\u0400-\u04ff\u1e00-\u1eff\u2010-\u2044\u20a0-\u20bf]*$/

/** Whether the font has all letters of a text. */
export function isDrawable(text: string): boolean {
  return DRAWABLE.test(text.normalize('NFC'))
}

/** The mark of the site with its name, 28 px high. */
export function siteMark(siteName: string, x: number, y: number): string {
  return [
    `<g transform="translate(${String(x)} ${String(y - 30)}) scale(1.25)"><rect width="32" height="32" rx="7" fill="${THEME.brand}"/><path d="M6 11h20" stroke="${THEME.onBrand}" stroke-width="2" stroke-dasharray="2.5 2.5"/><path d="m6 24 5-5 4 3 8-11" fill="none" stroke="${THEME.onBrand}" stroke-width="2.75" stroke-linecap="round" stroke-linejoin="round"/><circle cx="23" cy="11" r="3.25" fill="${THEME.onBrand}"/></g>`,
    textOf(siteName, x + 54, y, { size: 28, weight: 700, colour: THEME.ink }),
  ].join('')
}

export function siteMarkWidth(siteName: string): number {
  return 54 + widthOf(siteName, 28)
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
  return `<text x="${String(Math.round(x))}" y="${String(Math.round(y))}" font-size="${String(size)}" font-weight="${String(weight)}" fill="${colour}"${anchor}${tight}>${escapeXml(text)}</text>`
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

/** Breaks a text into lines of about the same length, so that no single word is left on the last line. */
export function balanced(text: string, size: number, room: number): string[] {
  let lines = linesOf(text, size, room)
  for (let narrower = room - 20; narrower > 0; narrower -= 20) {
    const next = linesOf(text, size, narrower)
    if (next.length > lines.length || next.some((line) => widthOf(line, size) > narrower)) break
    lines = next
  }
  return lines
}

export function fitted(text: string, size: number, room: number): string {
  if (widthOf(text, size) <= room) return text
  let kept = text
  while (kept !== '' && widthOf(`${kept}…`, size) > room) kept = kept.slice(0, -1)
  return `${kept.trim()}…`
}

/** The width of a text in bold Inter, pixels; a little too much rather than too little. */
export function widthOf(text: string, size: number): number {
  let em = 0
  for (const sign of text) em += emOf(sign)
  return em * size
}

function emOf(sign: string): number {
  if (/[\s.,:;'’|!ijlI()[\]]/.test(sign)) return 0.32
  if (/[ftr-]/.test(sign)) return 0.44
  if (/[mwMW@%—…]/.test(sign)) return 0.94
  if (/[A-Z]/.test(sign)) return 0.69
  return 0.64
}
