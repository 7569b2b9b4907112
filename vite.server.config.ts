import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { unpackedFonts } from './bin/lib/fonts.mjs'
import { RUN } from './bin/lib/packages.mjs'

/** Puts the fonts of pictures beside the bundle. */
const pictureFonts: Plugin = {
  name: 'picture-fonts',
  async writeBundle({ dir = 'dist/server' }) {
    cpSync(await unpackedFonts(), join(dir, 'fonts'), { recursive: true })
  },
}

/** Bundles the server with all its packages: loading them one by one costs half a second and 180 MB at every start. */
export default defineConfig({
  plugins: [pictureFonts],
  build: {
    ssr: true,
    target: 'node22.19',
    outDir: 'dist/server',
    copyPublicDir: false,
    sourcemap: true,
    // Keeps names of functions and classes readable in logs.
    minify: false,
    rolldownOptions: {
      input: {
        main: 'src/server/main.ts',
        cli: 'src/server/cli.ts',
        // Processes that worker-calls.ts starts by these names.
        'score-worker': 'src/server/scores/score-worker.ts',
        'paint-worker': 'src/server/publishing/pictures/paint-worker.ts',
        'sharp-worker': 'src/server/publishing/pictures/sharp-worker.ts',
      },
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        // Node keeps the source in memory, with two bytes per character if any character needs them.
        charset: 'ascii',
        comments: false,
      },
    },
  },
  ssr: {
    noExternal: true,
    // `pg` tries to load `pg-native`, which we do not install.
    external: ['pg-native', ...RUN],
  },
})
