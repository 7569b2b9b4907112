import react from '@vitejs/plugin-react'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    // Most of the time goes into waiting for the database: every core takes a file.
    maxWorkers: availableParallelism(),
    // Nothing here is about time: only what hangs ends so, also on a slow machine with other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Programs that tests start and kill, again and again, find themselves compiled.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node-compile'),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: ['src/server/store/**'],
          isolate: false,
        },
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
          include: ['tests/**/*.test.ts', 'src/server/store/**/*.test.ts'],
          globalSetup: ['tests/support/throw-away-database.ts'],
        },
      },
    ],
  },
})
