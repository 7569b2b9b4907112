import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import decompress from 'woff2-encoder/decompress'
import { inProject } from './project.mjs'

const PACKAGES = inProject('node_modules', '@fontsource-variable')

/** Other fonts are matched by their letters; three contain Han characters. */
const SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <alias>
    <family>sans-serif</family>
    <prefer><family>Inter</family><family>Noto Sans SC Thin</family></prefer>
  </alias>
</fontconfig>
`

/**
 * Unpacks the WOFF2 fonts of pictures for fontconfig and FreeType, once per version.
 *
 * @returns {Promise<string>} their folder, with `fonts.conf`
 */
export async function unpackedFonts() {
  const folder = inProject('node_modules', '.cache', 'picture-fonts')
  const packages = readdirSync(PACKAGES).map((name) => join(PACKAGES, name))
  const versions = packages.map((one) => JSON.parse(text(join(one, 'package.json'))).version)
  const stamp = `${SETTINGS}${versions.join(' ')}`
  const stampFile = join(folder, 'unpacked-from.txt')
  if (existsSync(stampFile) && text(stampFile) === stamp) return folder
  const part = `${folder}-${process.pid}`
  mkdirSync(part, { recursive: true })
  for (const files of packages.map((one) => join(one, 'files'))) {
    for (const file of readdirSync(files).filter((name) => name.endsWith('-wght-normal.woff2'))) {
      const font = await decompress(readFileSync(join(files, file)))
      writeFileSync(join(part, file.replace('.woff2', '.ttf')), font)
    }
  }
  writeFileSync(join(part, 'fonts.conf'), SETTINGS)
  writeFileSync(join(part, 'unpacked-from.txt'), stamp)
  rmSync(folder, { recursive: true, force: true })
  renameSync(part, folder)
  return folder
}

/** @param {string} file */
function text(file) {
  return readFileSync(file, 'utf8')
}
