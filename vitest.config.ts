import react from '@vitejs/plugin-react'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Files with `vi.mock`: what they put into other modules must not meet files that load those too. */
const MOCKING = ['src/server/kit/secrets-key.test.ts']
/** Tests beside their module that ask a real database. */
const WITH_DATABASE = [
  'src/server/database/**/*.test.ts',
  'src/server/kit/{secrets-key,trouble,db}.test.ts',
]

export default defineConfig({
  plugins: [react()],
  test: {
    // Stories wait for the database and for programs that they start: one more than there are cores keeps those busy.
    maxWorkers: availableParallelism() + 1,
    // Nothing here is about time: only what hangs ends so, also on a slow machine with other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Programs that tests start and kill, again and again, find themselves compiled.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node-compile'),
    },
    // The files of a project that a worker takes share its globals and modules, which cost more to load than most files to
    // run. What a file replaces it gives back.
    isolate: false,
    // Modules are transformed once for all projects and later runs.
    fsModuleCache: true,
    // Each story opens a site of its own and drops it: with the usual 16 MB a tenth of the time goes into collecting them.
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
