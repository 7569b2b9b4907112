import { cpSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { RUN } from './bin/lib/packages.mjs'

/** What the drawing of pictures reads by `font-file.ts`; the packages of fonts have five times as much. */
const FONTS = [
  '@expo-google-fonts/inter/{400Regular,600SemiBold,700Bold}/*.ttf',
  '@fontsource-variable/noto-*/unicode.json',
  '@fontsource-variable/noto-*/files/*-wght-normal.woff2',
]

/** Copies them beside the bundle. */
const pictureFonts: Plugin = {
  name: 'picture-fonts',
  writeBundle({ dir = 'dist/server' }) {
    for (const name of globSync(FONTS, { cwd: 'node_modules' })) {
      cpSync(join('node_modules', name), join(dir, 'fonts', name))
    }
  },
}

/** Bundles the server with all its packages: read one by one they cost half a second and 180 MB at every start. */
export default defineConfig({
  plugins: [pictureFonts],
  build: {
    ssr: true,
    target: 'node22.19',
    outDir: 'dist/server',
    copyPublicDir: false,
    sourcemap: true,
    // Names of functions and classes stay readable in logs.
    minify: false,
    rolldownOptions: {
      input: {
        main: 'src/server/main.ts',
        cli: 'src/server/cli.ts',
        // Threads and processes of their own, started by worker-calls.ts under these names.
        'score-worker': 'src/server/scores/score-worker.ts',
        'resvg-worker': 'src/server/publishing/pictures/resvg-worker.ts',
        'sharp-worker': 'src/server/publishing/pictures/sharp-worker.ts',
      },
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        // Node keeps the source of what it runs, all of it in two bytes for each character as soon as one needs them.
        charset: 'ascii',
        comments: false,
      },
    },
  },
  ssr: {
    noExternal: true,
    // `pg-native` is a faster client that `pg` looks for and we do not install.
    external: ['pg-native', ...RUN],
  },
})
