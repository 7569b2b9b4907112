import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

const server = 'http://127.0.0.1:3001'
const MANIFEST = 'dist/web/.vite/manifest.json'

/**
 * Builds the page: `vite build` into dist/web for the browser, then `vite build --ssr src/web/entry-server.tsx --outDir
 * dist/ssr` for the server, in this order, since the second reads the manifest of the first.
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), ...(isSsrBuild ? [] : [serviceWorker()])],
  define: isSsrBuild ? { __PAGE_CHUNKS__: JSON.stringify(pageChunks()) } : {},
  server: {
    proxy: {
      '/api': server,
      '/prices': server,
      '/live-price': server,
      '/ws': { target: server, ws: true },
    },
  },
  // The server imports the bundle without node_modules beside it.
  ssr: { noExternal: true },
  build: {
    outDir: 'dist/web',
    manifest: !isSsrBuild,
    // One style sheet for all pages: whatever page the server sends is styled at its first paint.
    cssCodeSplit: false,
    target: 'es2023',
    copyPublicDir: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}))

type ManifestEntry = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
}

/** For each kind of page the script files it needs besides the entry, so that the server can have them preloaded. */
function pageChunks(): Record<string, string[]> {
  if (!existsSync(MANIFEST)) return {}
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, ManifestEntry>
  const pages = Object.keys(manifest).flatMap((key) => {
    const name = /^src\/web\/pages\/(\w+)-page\.tsx$/.exec(key)?.[1]
    return name === undefined ? [] : [[name, [...filesOf(manifest, key)]] as const]
  })
  return Object.fromEntries(pages)
}

function filesOf(manifest: Record<string, ManifestEntry>, key: string): Set<string> {
  const entry = manifest[key]
  if (!entry || entry.isEntry) return new Set()
  return new Set([
    `/${entry.file}`,
    ...(entry.imports ?? []).flatMap((imported) => [...filesOf(manifest, imported)]),
  ])
}

/** Builds the service worker beside the pages and tells it which files make up this version of the site. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => /\.(?:js|css|woff2)$/.test(name))
        // Subsets of the font for other scripts are fetched when a name needs them.
        .filter((name) => !name.endsWith('.woff2') || /latin-wght/.test(name))
        .map((name) => `/${name}`)
        .toSorted()
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
      const source = readFileSync('src/web/worker/service-worker.js', 'utf8')
        .replace('__VERSION__', JSON.stringify(version))
        .replace('__FILES__', JSON.stringify(files))
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}
