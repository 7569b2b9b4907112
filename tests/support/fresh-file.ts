import { vi } from 'vitest'

/*
 * Runs before each test file. The files that a worker takes one after the other share their globals and the packages
 * they import (see `isolate` in vitest.config.ts): what one left behind must not decide about the next. Our own modules
 * start afresh for each.
 */
vi.resetModules()
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
