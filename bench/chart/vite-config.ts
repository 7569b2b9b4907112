import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { type InlineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export function trialConfig(outDir: string): InlineConfig {
  return {
    root: here('./page'),
    base: './',
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    cacheDir: here('../../node_modules/.cache/vite-chart'),
    build: {
      outDir,
      emptyOutDir: true,
      target: 'esnext',
      rolldownOptions: { input: here('./page/bench.html') },
    },
  }
}

/** Bundles the chart's own code from an entry, without React and the domain, which pages load anyway. */
export function sizeConfig(outDir: string, entry: string): InlineConfig {
  return {
    root: here('./page'),
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'esnext',
      rolldownOptions: {
        input: here(entry),
        external: /^(react|#domain)/,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'chart.js', assetFileNames: 'chart[extname]' },
      },
    },
  }
}
