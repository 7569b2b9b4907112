import { dirname, join, normalize, relative } from 'node:path'

/**
 * Which folders may import which. Applies to static, re-export, type and dynamic imports.
 */
const ROOT = dirname(dirname(dirname(new URL(import.meta.url).pathname)))

const NAMES = {
  '#domain/': 'src/domain/',
  '#chart/': 'src/chart/',
  '#contracts/': 'src/contracts/',
  '#server/': 'src/server/',
  '#web/': 'src/web/',
  '#tests/': 'tests/',
}

/** Server folders shared by all capabilities, lowest first. */
const SHARED = ['database', 'kit', 'http']
/** Adapter folders: each talks to one outside system and imports its port. */
const ADAPTERS =
  /^src\/server\/(?:prices\/(?:sources|venues)|payments\/wallets|posts\/(?:sources|assistant)|publishing\/(?:x|bluesky)\.ts$)/
const NODE = /^node:/
/** Codecs and hashes without I/O, which the domain may import. */
const PURE = /^@(?:scure\/base|noble\/hashes)\b/
/** Packages that connect to other programs, with the only server files that may use them: they limit what is received. */
const CONNECTING = {
  'node:http': 'src/server/kit/http-call.ts',
  'node:https': 'src/server/kit/http-call.ts',
  'node:http2': 'src/server/kit/http-call.ts',
  undici: 'src/server/kit/undici.ts',
  ws: 'src/server/kit/reconnecting.ts',
}
const PAGES = /^(?:react|react-dom|@tanstack\/|@base-ui\/|wouter)/
const DATABASE = /^(?:pg|pg-[\w-]+|drizzle-orm)(?:\/|$)/

/** @returns {string | null} why `from` may not import `to`. Paths are relative to the project, or packages. */
export function whyNot(from, to) {
  const isOurs = to.startsWith('src/') || to.startsWith('tests/')
  if (!from.startsWith('src/') || /\.test\.tsx?$/.test(from)) return null
  if (to.startsWith('tests/')) return 'the product must not import test code'
  if (/\/index\.tsx?$/.test(to)) return 'import the file itself, not an index'
  const top = from.split('/')[1]
  if (top === 'domain')
    return to.startsWith('src/domain/') || PURE.test(to)
      ? null
      : 'the domain uses pure packages alone, and no I/O'
  if (top === 'chart') {
    return /^src\/(?:domain|chart)\//.test(to)
      ? null
      : "the chart's geometry knows the domain and nothing else"
  }
  if (top === 'contracts') {
    return to === 'zod' || /^src\/(?:domain|contracts)\//.test(to)
      ? null
      : 'contracts use zod and the domain'
  }
  if (top === 'web')
    return isOurs || !NODE.test(to) ? inWeb(from, to) : 'the page runs in a browser'
  if (top === 'server') return inServer(from, to)
  return null
}

function inWeb(from, to) {
  if (/^fastify|^@fastify/.test(to) || DATABASE.test(to) || to.startsWith('src/server/'))
    return 'the page runs in a browser'
  if (!to.startsWith('src/web/')) return null
  const [, , side, room] = from.split('/')
  const [, , toSide, toRoom] = to.split('/')
  if (side === toSide) {
    const areRooms =
      (side === 'public' || side === 'admin') &&
      from.split('/').length > 4 &&
      to.split('/').length > 4
    if (!areRooms || room === 'pages' || room === toRoom) return null
    if (side === 'admin' && toRoom === 'kit') return null
    return 'a feature imports its own files; pages put features together'
  }
  if (side === 'render') return null
  if (toSide === 'public' || toSide === 'admin') {
    return side === 'public' || side === 'admin'
      ? 'pages for visitors and pages for administrators know nothing of each other'
      : 'shared code does not know features'
  }
  return null
}

function inServer(from, to) {
  if (PAGES.test(to) || to.startsWith('src/web/')) return 'the server must not import the page'
  const parts = from.split('/')
  const connecting = CONNECTING[to.startsWith('undici/') ? 'undici' : to]
  if (connecting !== undefined && from !== connecting) return `only ${connecting} connects by it`
  // main, cli and site are assembled with the files in composition/.
  const isRoot = parts.length === 3 || parts[2] === 'composition'
  const room = parts[2]
  const kind = /\.(routes|service|store|rows|jobs|commands)\.ts$/.exec(from)?.[1] ?? ''
  if (/^(?:fastify|@fastify\/|@fastify$)/.test(to)) {
    return isRoot || kind === 'routes' || room === 'http'
      ? null
      : 'only routes and http know Fastify'
  }
  if (!to.startsWith('src/server/')) return null
  const toRoom = to.split('/')[2]
  const toKind = /\.(routes|service|store|rows|jobs|commands)\.ts$/.exec(to)?.[1] ?? ''
  const isOwn = room === toRoom
  if (toKind === 'store' && !isOwn) return "another capability's store is private: ask its service"
  if ((toKind === 'routes' || toKind === 'commands') && !isRoot && !isOwn)
    return 'only site and cli put routes and commands together'
  if (isRoot) return null
  if (toRoom === 'composition') return 'only main, cli and site put the site together'
  if (room === 'database') {
    return isOwn || toRoom === 'kit' || to.endsWith('/ports.ts')
      ? null
      : 'the database knows no capability'
  }
  if (room === 'kit') return isOwn || toRoom === 'database' ? null : 'the kit knows no capability'
  if (room === 'http') return SHARED.includes(toRoom) ? null : 'http knows no capability'
  if (ADAPTERS.test(from)) {
    return toKind === '' && toRoom !== 'http' && toRoom !== 'database'
      ? null
      : 'an adapter knows its port'
  }
  if (ADAPTERS.test(to) && !to.endsWith('/ports.ts') && kind !== '' && kind !== 'commands')
    return 'services know ports, not adapters'
  if (kind === 'routes' && (toKind === 'store' || toKind === 'rows')) return 'routes call services'
  if (kind === 'service' && toRoom === 'http' && !to.endsWith('/event-streams.ts'))
    return 'services know nothing of HTTP'
  if ((kind === 'store' || kind === 'rows') && (toKind === 'service' || toRoom === 'http'))
    return 'a store knows the domain and the database'
  return null
}

/** @returns {string} the resolved path of an import, relative to the project, or its package */
function targetOf(from, spec) {
  for (const [name, folder] of Object.entries(NAMES))
    if (spec.startsWith(name)) return folder + spec.slice(name.length)
  return spec.startsWith('.') ? normalize(join(dirname(from), spec)).replaceAll('\\', '/') : spec
}

/** Whether an import only has types, so that no package is loaded. */
function isTypeOnly({ importKind, specifiers = [] }) {
  if (importKind === 'type') return true
  return specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type')
}

const imports = {
  create(context) {
    const from = relative(ROOT, context.filename).replaceAll('\\', '/')
    const look = (node, source) => {
      if (isTypeOnly(node) && source?.value in CONNECTING) return
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      if (source.value.startsWith('../') && from.startsWith('src/')) {
        context.report({ node, message: 'reach another folder by its # name' })
        return
      }
      const why = whyNot(from, targetOf(from, source.value))
      if (why !== null) context.report({ node, message: why })
    }
    return {
      ImportDeclaration: (node) => look(node, node.source),
      ExportNamedDeclaration: (node) => look(node, node.source),
      ExportAllDeclaration: (node) => look(node, node.source),
      ImportExpression: (node) => look(node, node.source),
      TSImportType: (node) => look(node, node.source ?? node.argument),
    }
  },
}

// Plugins are default exports.
export default { meta: { name: 'rooms' }, rules: { imports } }
