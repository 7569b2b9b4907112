import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Files with `vi.mock`, which must not affect other files that load the same modules. */
const MOCKING = ['src/server/kit/secrets-key.test.ts']
/** Tests beside their module that use a real database. */
const WITH_DATABASE = [
  'src/server/database/**/*.test.ts',
  'src/server/kit/{secrets-key,trouble,db}.test.ts',
]

export default defineConfig({
  plugins: [react()],
  test: {
    // Stories often wait for the database and for programs: one more worker than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    // No test is about time: only a hanging one takes this long, even on a slow, busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Programs that tests start again and again find their code compiled.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node-compile'),
    },
    // A worker's files share globals and modules, which take longer to load than most files take to run. A file
    // restores what it replaces.
    isolate: false,
    // Transforms modules once for all projects and later runs.
    fsModuleCache: true,
    // Each story opens a site and drops it: with the default of 16 MB, a tenth of the time is spent on garbage
    // collection.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    setupFiles: ['tests/support/fresh-file.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.ts'], exclude: WITH_DATABASE },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          include: ['src/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['tests/support/dom-patience.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'app',
          include: ['tests/**/*.test.ts', ...WITH_DATABASE],
          exclude: [...MOCKING, 'tests/deep/**'],
          globalSetup: ['tests/support/throw-away-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: process.env['DEEP'] === '1' ? ['tests/deep/**/*.test.ts'] : [],
          globalSetup: ['tests/support/throw-away-database.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'mocking', include: MOCKING, isolate: true },
      },
    ],
  },
})
