import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// A story about a page ends as soon as the page shows it; a second is too little on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

// After what the file itself restores.
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
