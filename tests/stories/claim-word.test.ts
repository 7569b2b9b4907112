import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const CODEC = 'domain/claim/fields.ts'

it('the word that calls and tables have for a claim by a date is named by the codec alone', () => {
  const named = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => readFileSync(join('src', path), 'utf8').includes('pricetimerange'))
  expect(named).toEqual([CODEC])
})
