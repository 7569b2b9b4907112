import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { answerCalls } from '#server/kit/worker-answers.ts'

/** Draws SVG with sharp, in a separate process: fontconfig reads its settings from the environment, once. */

/** Next to the server in a build; otherwise unpacked by `bin/lib/fonts.mjs`. */
const FONTS = [
  join(import.meta.dirname, 'fonts'),
  join(process.cwd(), 'node_modules', '.cache', 'picture-fonts'),
].find((folder) => existsSync(folder))
if (FONTS) process.env['FONTCONFIG_FILE'] = join(FONTS, 'fonts.conf')

const { default: sharp } = await import('sharp')
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })

const Ask = z.object({ svg: z.string() })

/** Han characters differ by language: without these scripts, text counts as Chinese (`fonts.conf`). */
const LANGUAGES = [
  { letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, font: 'Noto Sans JP Thin' },
  { letters: /\p{Script=Hangul}/u, font: 'Noto Sans KR Thin' },
]

answerCalls((content) => {
  const { svg } = Ask.parse(content)
  const written = svg.replace(/<text (?=[^>]*>([^<]*))/g, (start, text: string) => {
    const font = LANGUAGES.find(({ letters }) => letters.test(text))?.font
    return font ? `${start}font-family="Inter, ${font}" ` : start
  })
  return sharp(Buffer.from(written)).png({ compressionLevel: 9 }).toBuffer()
})
