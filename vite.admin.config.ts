import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './vite.config.ts'

/** Builds the administrators' pages into dist/admin: an app of its own, so that the public pages carry none of it. */
export default defineConfig({
  plugins: [react(), compressed()],
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
      // What keeps zod from making code out of strings runs before any schema of any chunk is made.
      output: {
        codeSplitting: {
          groups: [{ name: 'schemas', test: /node_modules\/zod\/|web\/api\/without-eval/ }],
        },
      },
    },
  },
})
