import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed, styles } from './vite.config.ts'

/** Builds the administrators' pages into dist/admin as a separate app, so that public pages contain none of it. */
export default defineConfig({
  plugins: [react(), compressed()],
  css: styles('swap'),
  oxc: { typescript: { onlyRemoveTypeImports: false } },
  base: '/admin/',
  publicDir: false,
  build: {
    outDir: 'dist/admin',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'admin.html',
      // Keeps zod from compiling code from strings: must run before any chunk creates a schema.
      output: {
        codeSplitting: {
          groups: [{ name: 'schemas', test: /node_modules\/zod\/|web\/api\/without-eval/ }],
        },
      },
    },
  },
})
