import { isPlain } from '#chart/picture-text.ts'
import bidiFactory from 'bidi-js/dist/bidi.mjs'
import { Buffer, Direction, shape, type Font } from 'harfbuzzjs'
import { fontFor } from './picture-fonts.ts'

/**
 * Turns words that the site's font cannot draw into outlines, with the letters joined, stacked and ordered as their script
 * wants it. The drawing program finds letters in other fonts by itself, but takes the marks of Indian scripts apart and
 * loses lines that mix directions.
 */

/** Drawn for a letter that no font has. */
const UNKNOWN = 0x25a1

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

type Run = { readonly font: Font; readonly level: number; text: string }

/**
 * A picture with its words in other scripts as outlines.
 *
 * @param svg as `textOf` and `sceneToSvg` write it: all that says how words look is on their own element
 */
export async function withShapedText(svg: string): Promise<string> {
  const parts: string[] = []
  let end = 0
  for (const found of svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)) {
    const [whole, attributes = '', escaped = ''] = found
    const text = unescaped(escaped)
    if (isPlain(text)) continue
    parts.push(svg.slice(end, found.index), await outlinesOf(text.normalize('NFC'), attributes))
    end = found.index + whole.length
  }
  return parts.join('') + svg.slice(end)
}

async function outlinesOf(text: string, attributes: string): Promise<string> {
  const look = new Map(
    [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const size = Number(look.get('font-size'))
  const runs = inVisualOrder(await runsOf(text, Number(look.get('font-weight') ?? 400)))
  const glyphs = runs.flatMap((run) => glyphsOf(run, size))
  const width = glyphs.reduce((sum, { advance }) => sum + advance, 0)
  const before = { end: width, middle: width / 2 }[look.get('text-anchor') ?? ''] ?? 0
  let x = Number(look.get('x')) - before
  const y = Number(look.get('y'))
  const path = glyphs.map((glyph) => {
    const at = x
    x += glyph.advance
    return glyph.outline(at, y)
  })
  const rest = [...look].flatMap(([name, value]) =>
    OF_TEXT.has(name) ? [] : [`${name}="${value}"`],
  )
  return `<path d="${path.join('')}" ${rest.join(' ')}/>`
}

/** Attributes that only words have. */
const OF_TEXT = new Set([
  'x',
  'y',
  'font-size',
  'font-weight',
  'font-family',
  'text-anchor',
  'letter-spacing',
  'dominant-baseline',
])

/** Pieces of one font and one direction, in the order they are read. */
async function runsOf(text: string, weight: number): Promise<Run[]> {
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr')
  const runs: Run[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    const found = await drawn(segment, weight, text)
    if (!found) continue
    const level = levels[index] ?? 0
    const last = runs.at(-1)
    if (last && last.font === found.font && last.level === level) last.text += found.text
    else runs.push({ ...found, level })
  }
  return runs
}

/** What is drawn of a grapheme: its first sign where no font has all of it, a box for a letter that no font has. */
async function drawn(
  segment: string,
  weight: number,
  within: string,
): Promise<{ font: Font; text: string } | null> {
  const signs = segment.match(/\P{Default_Ignorable_Code_Point}/gu) ?? []
  const found = await fontFor(
    signs.map((sign) => sign.codePointAt(0) ?? 0),
    { weight, within },
  )
  if (found) return { font: found.font, text: found.isWhole ? segment : (signs[0] ?? '') }
  if (!/[\p{L}\p{N}]/u.test(segment)) return null
  const box = await fontFor([UNKNOWN], { weight, within })
  return box && { font: box.font, text: String.fromCodePoint(UNKNOWN) }
}

/** From left to right: rule L2 of the Unicode Bidirectional Algorithm, on pieces of one level. */
function inVisualOrder(runs: readonly Run[]): readonly Run[] {
  const levels = runs.map(({ level }) => level)
  let ordered = [...runs]
  for (let level = Math.max(0, ...levels); level > 0; level -= 1) {
    const next: Run[] = []
    let turned: Run[] = []
    for (const run of ordered) {
      if (run.level >= level) {
        turned.unshift(run)
        continue
      }
      next.push(...turned, run)
      turned = []
    }
    ordered = [...next, ...turned]
  }
  return ordered
}

type Glyph = { readonly advance: number; readonly outline: (x: number, y: number) => string }

function glyphsOf({ font, text, level }: Run, size: number): Glyph[] {
  const buffer = new Buffer()
  buffer.addText(text)
  buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR)
  buffer.guessSegmentProperties()
  shape(font, buffer)
  const scale = size / font.face.upem
  return buffer.getGlyphInfosAndPositions().map((glyph) => {
    const { codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 } = glyph
    return {
      advance: xAdvance * scale,
      outline: (x, y) =>
        font
          .glyphToJson(codepoint)
          .map(({ type, values }) => {
            const moved = values.map((value, i) =>
              (i % 2 === 0 ? x + (value + xOffset) * scale : y - (value + yOffset) * scale).toFixed(
                2,
              ),
            )
            return type + moved.join(' ')
          })
          .join(''),
    }
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}
