import { isPlain } from '#chart/picture-text.ts'
import { answerCalls } from '#server/kit/worker-answers.ts'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { fontFile } from './font-file.ts'

/** Draws in a thread of its own: a picture takes a tenth of a second, in which a server would answer no one. */

const FONTS = [
  '400Regular/Inter_400Regular',
  '600SemiBold/Inter_600SemiBold',
  '700Bold/Inter_700Bold',
]

const Ask = z.object({ svg: z.string() })

const fontBuffers = FONTS.map(
  (font) => new Uint8Array(readFileSync(fontFile(`@expo-google-fonts/inter/${font}.ttf`))),
)
// The package stays outside of the bundle, so that its WebAssembly is found beside it.
const { resolve } = createRequire(import.meta.url)
const ready = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))

answerCalls(async (content) => {
  const { svg } = Ask.parse(content)
  await ready
  return draw(await withOutlines(svg))
})

/** What shapes other scripts is loaded with the first of them: most pictures have none. */
async function withOutlines(svg: string): Promise<string> {
  if (isPlain(svg)) return svg
  const { withShapedText } = await import('./shaped-text.ts')
  return withShapedText(svg)
}

function draw(svg: string): Uint8Array {
  const resvg = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'Inter' } })
  try {
    const image = resvg.render()
    try {
      return new Uint8Array(image.asPng())
    } finally {
      image.free()
    }
  } finally {
    resvg.free()
  }
}
