import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type CSSOptions, type Plugin } from 'vite'

const server = 'http://127.0.0.1:3001'

/** @param fontDisplay whether a font that loads late redraws the text */
export function styles(fontDisplay: 'optional' | 'swap'): CSSOptions {
  return {
    postcss: {
      plugins: [
        {
          postcssPlugin: 'font-display',
          Declaration: { 'font-display': (one) => void (one.value = fontDisplay) },
        },
        {
          // A feature's style sheet wins over those of ui/, whatever their order.
          postcssPlugin: 'ui-layer',
          Once: (root, { atRule }) => {
            if (!/\/web\/ui\/[\w-]+\.module\.css$/.test(root.source?.input.file ?? '')) return
            const order = atRule({ name: 'layer', params: 'base, ui, shared' })
            root.nodes = [order, atRule({ name: 'layer', params: 'ui', nodes: root.nodes })]
          },
        },
      ],
    },
  }
}

/**
 * Builds the page: `vite build` into dist/web for the browser, `vite build --ssr src/web/render/entry-server.tsx --outDir
 * dist/ssr` for the server, in any order. The two folders must stand side by side.
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    react(),
    pageChunksModule(),
    adminPages(),
    plainImports(),
    ...(isSsrBuild
      ? [ownSchemaRegistry()]
      : [pageChunksFile(), apiDocs(), serviceWorker(), compressed()]),
  ],
  // A font that arrives late would shift the layout: the page then keeps its fallback font.
  css: styles('optional'),
  // Remove type-only imports entirely: an empty import would load the schemas on every page.
  oxc: { typescript: { onlyRemoveTypeImports: false } },
  server: {
    proxy: {
      '/api': server,
      '/prices': server,
      '/live-price': server,
      '/embed': server,
      '/oembed': server,
      '/proofs': server,
      '/admin/influencers': server,
      '^/predictions/[^/]+/picture\\.png': server,
      '^/years/.+/picture\\.png': server,
      '^/history/.+/picture\\.(?:png|svg)': server,
      '/ws': { target: server, ws: true },
    },
  },
  // The server imports the bundle without node_modules beside it. It omits React's development build, as Node keeps the
  // source of a bundle in memory.
  ssr: { noExternal: true },
  ...(isSsrBuild ? { define: { 'process.env.NODE_ENV': JSON.stringify('production') } } : {}),
  build: {
    outDir: 'dist/web',
    // One style sheet for all pages, so that every page is styled at its first paint.
    cssCodeSplit: false,
    target: 'es2023',
    copyPublicDir: !isSsrBuild,
    assetsInlineLimit: 0,
    // The server preloads modules itself, earlier than a script could.
    modulePreload: false,
    rolldownOptions: {
      // Except for the entries, our modules have no side effects.
      treeshake: { moduleSideEffects: [{ test: OURS, sideEffects: false }] },
      output: isSsrBuild
        ? // As in vite.server.config.ts: half the memory for the same source.
          { charset: 'ascii', comments: false }
        : { codeSplitting: { includeDependenciesRecursively: false, groups: CHUNKS } },
    },
  },
}))

/** Omits Vite's preload code around `import()`: the server preloads a page's scripts, and one sheet has all styles. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null,
  }
}

/** In development, serves the administrators' template at their addresses; the build makes it a separate app. */
function adminPages(): Plugin {
  return {
    name: 'admin-pages',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _, next) => {
        const isPage = /^\/admin(?:\/(?!influencers$)[\w/-]*)?(?:\?|$)/.test(request.url ?? '')
        if (isPage) request.url = '/admin.html'
        next()
      })
    },
  }
}

const OURS = /\/src\/(?!web\/(?:public\/entry|render\/entry-server|api\/without-eval)).*\.tsx?$/

/** A few files instead of many small ones; those that rarely change stay in returning visitors' caches. */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
  { name: 'base-ui', test: /node_modules\/@base-ui\//, priority: 2, minShareCount: 2 },
  // The entry and everything it imports, in one file.
  { name: 'shell', tags: ['$initial' as const], priority: 1 },
  {
    name: 'live',
    test: /src\/web\/(?:api\/(?:live|page-stream|use-live)|public\/prices\/live-amount)/,
    minShareCount: 2,
  },
  // Shared by text pages, not needed by the chart.
  {
    name: 'dates-and-sources',
    test: /src\/domain\/(?:claim\/source\.|judging\/(?:bar|calendar)\.)/,
    minShareCount: 2,
  },
  {
    name: 'words',
    // Code that only forms need is loaded with them.
    test: /src\/(?:domain\/(?!given-day|reply|listing|scoring|fold-text|judging\/(?:bar\.|series|verdict-text|judge|steps|price-file|jump|calendar)|posts\/post-url|claim\/(?:claim-input|source|duplicate|written)|money\/(?:contact|bech32|invoice|bolt11)|publishing\/nostr|submission|web-address|report|clean-text)|contracts\/(?:prediction-wire|year)|web\/(?:address\/addresses|ui\/(?:verdict-badge|claim-sign|field\.module)))/,
    minShareCount: 2,
  },
]

const CHUNKS_FILE = 'page-chunks.json'

/** Records the script files that each kind of page needs. */
function pageChunksFile(): Plugin {
  return {
    name: 'page-chunks-file',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      const reach = (file: string, found: Set<string>): Set<string> => {
        if (found.has(file)) return found
        found.add(file)
        for (const next of byFile.get(file)?.imports ?? []) reach(next, found)
        return found
      }
      const entry = chunks.find((chunk) => chunk.isEntry)
      const first = reach(entry?.fileName ?? '', new Set())
      const pages = chunks.flatMap((chunk) => {
        const name = /\/web\/public\/pages\/(\w+)-page\.tsx$/.exec(chunk.facadeModuleId ?? '')?.[1]
        const files = [...new Set([...first, ...reach(chunk.fileName, new Set())])]
        return name === undefined ? [] : [[name, files.map((file) => `/${file}`)] as const]
      })
      const source = JSON.stringify(Object.fromEntries(pages))
      this.emitFile({ type: 'asset', fileName: CHUNKS_FILE, source })
    },
  }
}

/** Provides the file of {@link pageChunksFile} to the server's bundle, read at its start. */
function pageChunksModule(): Plugin {
  const name = 'virtual:page-chunks'
  return {
    name: 'page-chunks-module',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) =>
      id === `\0${name}`
        ? `import { readFileSync } from 'node:fs'
           import { join } from 'node:path'
           const file = join(import.meta.dirname, '../web/${CHUNKS_FILE}')
           export const PAGE_CHUNKS = JSON.parse(readFileSync(file, 'utf8'))`
        : null,
  }
}

/**
 * Builds the service worker with the list of files of this version of the site, and the page shown offline in place of
 * pages never visited.
 */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    // After Vite's own plugins, which add the style sheet to the bundle.
    enforce: 'post',
    generateBundle(_, bundle) {
      const named = Object.keys(bundle)
        .filter((name) => /\.(?:js|css|woff2)$/.test(name) && !name.includes(DOCS))
        // Subsets of the font for other scripts are fetched when a name needs them.
        .filter((name) => !name.endsWith('.woff2') || /inter-latin-wght/.test(name))
        // The language detector is fetched when a post is pasted.
        .filter((name) => !name.includes(DETECTOR))
        .toSorted()
      const style = named.find((name) => name.endsWith('.css'))
      if (style === undefined) throw new Error('the service worker found no style sheet to cache')
      const offline = readFileSync('src/web/worker/offline.html', 'utf8').replace(
        '__STYLE__',
        `/${style}`,
      )
      this.emitFile({ type: 'asset', fileName: 'offline.html', source: offline })
      const worker = readFileSync('src/web/worker/service-worker.js', 'utf8')
      // Bundled files have a content hash in their name; the others are hashed here.
      const version = createHash('sha256').update(named.join()).update(offline).update(worker)
      for (const name of UNNAMED) version.update(readFileSync(join('public', name)))
      const files = [...named, ...UNNAMED, 'offline.html'].map((name) => `/${name}`)
      const source = worker
        .replace('__VERSION__', JSON.stringify(version.digest('hex').slice(0, 12)))
        .replace('__FILES__', JSON.stringify(files))
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

/** `eld/extrasmall`, a megabyte. */
const DETECTOR = 'static.extrasmall'

/** Files of the public folder that pages request besides the bundle. */
const UNNAMED = ['theme.js', 'offline.js', 'favicon.svg', 'manifest.webmanifest']

/**
 * The renderer has a copy of zod and of the contracts in the server's process. In the server's registry each named
 * schema would exist twice, and the server could not describe its calls.
 */
function ownSchemaRegistry(): Plugin {
  return {
    name: 'own-schema-registry',
    transform: (code, id) =>
      id.endsWith('/zod/v4/core/registries.js')
        ? code.replaceAll('__zod_globalRegistry', '__zod_registry_of_renderer')
        : null,
  }
}

/** The viewer of the API description, already built, so that nothing runs at its installation. */
const VIEWER = 'node_modules/@fastify/swagger-ui/static'

/** The page `/api/docs` with its viewer, which no other page loads. */
function apiDocs(): Plugin {
  return {
    name: 'api-docs',
    generateBundle() {
      const emit = (name: string, path: string): string => {
        const source = readFileSync(path, 'utf8')
        return `/${this.getFileName(this.emitFile({ type: 'asset', name, source }))}`
      }
      const page = readFileSync('src/web/api-docs/api-docs.html', 'utf8')
        .replace('__VIEWER__', emit(`${DOCS}.js`, `${VIEWER}/swagger-ui-bundle.js`))
        .replace('__VIEWER_STYLE__', emit(`${DOCS}.css`, `${VIEWER}/swagger-ui.css`))
        .replace('__STYLE__', emit(`${DOCS}-page.css`, 'src/web/api-docs/api-docs.css'))
        .replace('__SCRIPT__', emit(`${DOCS}-page.js`, 'src/web/api-docs/api-docs.js'))
      this.emitFile({ type: 'asset', fileName: 'api-docs.html', source: page })
    },
  }
}

/** The prefix of their file names. */
const DOCS = 'api-docs'

/** Level 11 makes files 8% smaller, but takes four seconds for the two of a megabyte, which few visitors load. */
const brotliLevel = (bytes: number): number => (bytes > 400_000 ? 9 : 11)

/** Writes a Brotli and a gzip copy of every text file with a hash in its name, which the server sends as they are. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    writeBundle: async ({ dir = 'dist' }) => {
      const folder = join(dir, 'assets')
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      const texts = names.filter((each) => /\.(?:js|css|svg)$/.test(each))
      await Promise.all(
        texts.map(async (name) => {
          const path = join(folder, name)
          const body = readFileSync(path)
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: brotliLevel(body.length),
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          }
          writeFileSync(`${path}.br`, await promisify(brotliCompress)(body, { params }))
          writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }))
        }),
      )
    },
  }
}
