import { expect, vi } from 'vitest'

/*
 * Runs before each test file. The files of a worker share their globals and modules (see `isolate` in vitest.config.ts): leftovers must not affect the next file. Modules of server and rules have no such state; those of the page do, and are reloaded.
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
