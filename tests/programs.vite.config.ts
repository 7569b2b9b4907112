import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig } from 'vite'
import server from '../vite.server.config.ts'

const SUPPORT = join(import.meta.dirname, 'support')
// The worker beside it belongs to a test, not to the product.
const AS_SOURCE = 'worker-owner.ts'
const owners = readdirSync(SUPPORT).filter(
  (name) => name.endsWith('-owner.ts') && name !== AS_SOURCE,
)
const { input, ...options } = server.build?.rolldownOptions ?? {}

/** Bundles the programs that tests start and kill like the server, and the server itself. */
export default defineConfig({
  ...server,
  build: {
    ...server.build,
    sourcemap: false,
    rolldownOptions: {
      ...options,
      input: {
        ...(typeof input === 'object' && !Array.isArray(input) ? input : {}),
        ...Object.fromEntries(owners.map((name) => [basename(name, '.ts'), join(SUPPORT, name)])),
      },
    },
  },
})
