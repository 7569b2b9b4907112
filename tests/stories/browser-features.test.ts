import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BY_PLAYWRIGHT } from '../../e2e/support/browser-features.ts'

it('the browser tests switch off all that Playwright switches off', () => {
  const bundle = join(
    import.meta.dirname,
    '..',
    '..',
    'node_modules',
    'playwright-core',
    'lib',
    'coreBundle.js',
  )
  const [, list = ''] = /disabledFeatures = \[([^\]]*)\]/.exec(readFileSync(bundle, 'utf8')) ?? []
  expect([...list.matchAll(/^ *"(\w+)"/gm)].map(([, name]) => name)).toEqual(BY_PLAYWRIGHT)
})
