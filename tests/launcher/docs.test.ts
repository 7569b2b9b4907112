import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const PAGES = globSync(['*.md', 'docs/**/*.md'])
const FILES = globSync('{*,.*,{bench,bin,data,deploy,docs,e2e,src,tests}/**/*}', {
  exclude: (name) => name === 'node_modules',
}).map((path) => `/${path.replaceAll('\\', '/')}`)

/** A file or folder named in code spans, such as `domain/day.ts` or `server/prices`, but no addresses and patterns. */
const NAMED =
  /`((?!x\.)[\w-][\w.-]*(?:\/[\w.-]+)*(?:\.(?:tsx?|mjs|css|yaml|md|example)|\/)|(?:src|domain|chart|contracts|server|web|tests|e2e|bench|bin|deploy|docs)\/[\w/.-]+)`/g
/** Folders that exist only on a running site. */
const AT_RUN_TIME = ['var/']

/** Those of these names that no file or folder has. */
const missing = (names: readonly string[]): string[] =>
  names
    .filter((name) => !AT_RUN_TIME.includes(name))
    .filter((name) => !FILES.some((path) => path.endsWith(`/${name.replace(/\/$/, '')}`)))

it.each(PAGES)('%s has closed code blocks, and names files that exist', (page) => {
  const text = readFileSync(page, 'utf8')
  expect((text.match(/^```/gm) ?? []).length % 2, 'an odd number of fences').toBe(0)
  const prose = text.replaceAll(/^```[^]*?^```/gm, '')
  const links = [...prose.matchAll(/\]\((?!https?:)([^)#]+)/g)]
    .map(([, to = '']) => `/${join(dirname(page), to).replaceAll('\\', '/').replace(/\/$/, '')}`)
    .filter((to) => !FILES.includes(to))
  const named = [...prose.matchAll(NAMED)].map(([, name = '']) => name)
  expect([...links, ...missing(named)]).toEqual([])
})

it('the tree of CONTRIBUTING.md names folders and files that exist', () => {
  const [, tree = ''] = /```\n(src[^]*?)```/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? []
  const names = tree.match(/^[\w/]+|[\w-]+(?:\/[\w-]+)*(?:\/(?!\w)|\.(?:ts|md)\b)/gm) ?? []
  expect(names.length).toBeGreaterThan(40)
  expect(missing(names)).toEqual([])
})

it('comments name pages of docs that exist', () => {
  const code = FILES.filter((file) => /\.(?:tsx?|mjs|conf|yaml)$/.test(file))
  const names = code.flatMap((file) => [
    ...readFileSync(`.${file}`, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g),
  ])
  expect(names.length).toBeGreaterThan(10)
  expect(missing(names.map(String))).toEqual([])
})
