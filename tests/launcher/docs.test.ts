import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const PAGES = globSync(['*.md', 'docs/**/*.md'])
const FILES = globSync('{*,.*,{bench,bin,data,deploy,docs,e2e,src,tests}/**/*}', {
  exclude: (name) => name === 'node_modules',
}).map((path) => `/${path.replaceAll('\\', '/')}`)

/** A file or folder named in code spans, such as `domain/day.ts` or `server/prices/`, but no addresses and patterns. */
const NAMED = /`((?!x\.)[\w-]+(?:\/[\w.-]+)*(?:\.(?:ts|tsx|mjs|css|yaml)|\/))`/g
/** Folders that exist only on a running site. */
const AT_RUN_TIME = ['var/']

it.each(PAGES)('%s has closed code blocks, and names files that exist', (page) => {
  const text = readFileSync(page, 'utf8')
  expect((text.match(/^```/gm) ?? []).length % 2, 'an odd number of fences').toBe(0)
  const prose = text.replaceAll(/^```[^]*?^```/gm, '')
  const links = [...prose.matchAll(/\]\((?!https?:)([^)#]+)/g)]
    .map(([, to = '']) => `/${join(dirname(page), to).replaceAll('\\', '/').replace(/\/$/, '')}`)
    .filter((to) => !FILES.includes(to))
  const named = [...prose.matchAll(NAMED)]
    .map(([, name = '']) => name)
    .filter((name) => !AT_RUN_TIME.includes(name))
    .filter((name) => !FILES.some((path) => path.endsWith(`/${name.replace(/\/$/, '')}`)))
  expect([...links, ...named]).toEqual([])
})
