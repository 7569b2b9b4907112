import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig } from 'vite'
import server from '../vite.server.config.ts'

const SUPPORT = join(import.meta.dirname, 'support')
// Its worker, which is beside it, is a test's and not the product's.
const AS_SOURCE = 'worker-owner.ts'
const owners = readdirSync(SUPPORT).filter(
  (name) => name.endsWith('-owner.ts') && name !== AS_SOURCE,
)
const { input, ...options } = server.build?.rolldownOptions ?? {}

/** Bundles the programs that tests start and kill as the server is bundled, and the server itself with them. */
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
