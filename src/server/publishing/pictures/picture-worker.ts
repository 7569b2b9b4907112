import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'

/** Draws in a thread of its own: a picture takes a tenth of a second, in which a server would answer nobody. */

const FONTS = [
  '400Regular/Inter_400Regular',
  '600SemiBold/Inter_600SemiBold',
  '700Bold/Inter_700Bold',
]

const Ask = z.object({ id: z.number(), svg: z.string() })

// Both packages stay outside of the bundle, so that their files are found beside them.
const { resolve } = createRequire(import.meta.url)
const fontBuffers = FONTS.map(
  (font) => new Uint8Array(readFileSync(resolve(`@expo-google-fonts/inter/${font}.ttf`))),
)
const ready = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))

parentPort?.on('message', (message: unknown) => {
  const { id, svg } = Ask.parse(message)
  ready
    .then(() => {
      const answer = draw(svg)
      parentPort?.postMessage({ id, answer }, [answer.buffer])
    })
    .catch((error: unknown) => {
      parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) })
    })
})

function draw(svg: string): Uint8Array<ArrayBuffer> {
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
