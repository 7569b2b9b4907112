import { expect, vi } from 'vitest'

/*
 * Runs before each test file. The files that a worker takes one after the other share their globals and modules (see
 * `isolate` in vitest.config.ts): what one left behind must not decide about the next. Modules of server and rules keep
 * nothing that could; those of the page do, and start afresh.
 */
if (/[\\/]src[\\/]web[\\/]/.test(expect.getState().testPath ?? '')) vi.resetModules()
vi.restoreAllMocks()
vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()

if (typeof document !== 'undefined') {
  document.title = ''
  delete document.documentElement.dataset['theme']
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}
