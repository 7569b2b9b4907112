import { Blob, Face, Font, Variation } from 'harfbuzzjs'
import { readFileSync } from 'node:fs'
import decompress from 'woff2-encoder/decompress'
import { z } from 'zod'
import { fontFile } from './font-file.ts'

/**
 * Fonts for names in every script. Each script is cut into files of a few dozen kB by the letters in them, and only those
 * that a name needs are read. What was read is kept until the thread ends, which it does soon after the last picture.
 */

/** Inter by weight: the letters of Latin, Greek and Cyrillic, and most signs. */
const INTER = [
  { least: 650, file: '700Bold/Inter_700Bold' },
  { least: 500, file: '600SemiBold/Inter_600SemiBold' },
  { least: 0, file: '400Regular/Inter_400Regular' },
] as const

/** Packages of Noto fonts by script, each in all weights. Those with Han characters are put in order by the text. */
const NOTO = [
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-kannada',
  'noto-sans-malayalam',
  'noto-sans-sinhala',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-thai',
  'noto-sans-lao',
  'noto-sans-khmer',
  'noto-sans-myanmar',
  'noto-sans-armenian',
  'noto-sans-georgian',
  'noto-sans-ethiopic',
] as const
const [CHINESE, JAPANESE, KOREAN] = ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'] as const
const EMOJI = 'noto-emoji'

type Package =
  | (typeof NOTO)[number]
  | typeof CHINESE
  | typeof JAPANESE
  | typeof KOREAN
  | typeof EMOJI

/** By name of a part: the characters in it, as CSS says them, `U+600-6FF,U+64B`. */
const Parts = z.record(z.string(), z.string())
type Part = { readonly name: string; readonly spans: readonly (readonly [number, number])[] }

const parts = new Map<Package, readonly Part[]>()
const faces = new Map<string, Promise<Face>>()
const fonts = new Map<string, Font>()

/** A font of one weight that has all of a text, or at least its first character; null where no font has that. */
export async function fontFor(
  characters: readonly number[],
  { weight, within }: { readonly weight: number; readonly within: string },
): Promise<{ font: Font; isWhole: boolean } | null> {
  const [first] = characters
  if (first === undefined) return null
  const inter = fontOf(await interFace(weight), `inter ${String(weight)}`, null)
  if (hasAll(inter, characters)) return { font: inter, isWhole: true }
  let partly: Font | null = hasAll(inter, [first]) ? inter : null
  for (const from of inOrder(within)) {
    const part = partsOf(from).find(({ spans }) => isIn(spans, first))
    if (!part) continue
    const file = `@fontsource-variable/${from}/files/${from}-${part.name}-wght-normal.woff2`
    const font = fontOf(await faceOf(file), file, weight)
    if (hasAll(font, characters)) return { font, isWhole: true }
    if (hasAll(font, [first])) partly ??= font
  }
  return partly && { font: partly, isWhole: false }
}

/** Han characters are drawn as the language of the text around them writes them. */
function inOrder(text: string): readonly Package[] {
  const han = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? [JAPANESE, CHINESE, KOREAN]
    : /\p{Script=Hangul}/u.test(text)
      ? [KOREAN, CHINESE, JAPANESE]
      : [CHINESE, JAPANESE, KOREAN]
  return [...NOTO, ...han, EMOJI]
}

function partsOf(from: Package): readonly Part[] {
  const known = parts.get(from)
  if (known) return known
  const file = readFileSync(fontFile(`@fontsource-variable/${from}/unicode.json`), 'utf8')
  const read = Object.entries(Parts.parse(JSON.parse(file))).map(([name, list]) => ({
    // A part that has only a number has it in brackets.
    name: name.replace(/[[\]]/g, ''),
    spans: list.split(',').map(spanOf),
  }))
  parts.set(from, read)
  return read
}

/** `U+64B` and `U+600-6FF` */
function spanOf(text: string): readonly [number, number] {
  const [from = NaN, to = from] = text
    .trim()
    .replace('U+', '')
    .split('-')
    .map((one) => Number.parseInt(one, 16))
  return [from, to]
}

function isIn(spans: Part['spans'], character: number): boolean {
  return spans.some(([from, to]) => character >= from && character <= to)
}

function interFace(weight: number): Promise<Face> {
  const { file } = INTER.find(({ least }) => weight >= least) ?? INTER[2]
  return faceOf(`@expo-google-fonts/inter/${file}.ttf`)
}

function faceOf(file: string): Promise<Face> {
  const known = faces.get(file)
  if (known) return known
  const opened = openFace(file)
  faces.set(file, opened)
  return opened
}

async function openFace(file: string): Promise<Face> {
  const bytes = readFileSync(fontFile(file))
  return new Face(
    new Blob(file.endsWith('.woff2') ? await decompress(bytes) : new Uint8Array(bytes)),
  )
}

function fontOf(face: Face, name: string, weight: number | null): Font {
  const key = `${name} ${String(weight)}`
  const known = fonts.get(key)
  if (known) return known
  const font = new Font(face)
  if (weight !== null) font.setVariations([new Variation('wght', weight)])
  fonts.set(key, font)
  return font
}

function hasAll(font: Font, characters: readonly number[]): boolean {
  return characters.every((one) => font.nominalGlyph(one) !== undefined)
}
