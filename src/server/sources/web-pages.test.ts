import { reachOf, startPages, type PageAnswer } from '#tests/support/stand-ins/source-pages.ts'
import { patiently } from '#tests/support/waiting.ts'
import { describe, expect, it } from 'vitest'
import { webPages, type PageReply } from './web-pages.ts'

const PAGE: PageReply = { kind: 'page' }
const failed = (reason: string): object => ({ kind: 'failed', reason, isAnswer: true })
const closed = (reason: string): object => ({ kind: 'closed', reason })
const to = (location: string, status = 302): PageAnswer => ({ status, headers: { location } })

describe('the page of a source', () => {
  it.each<[string, PageAnswer, object, string]>([
    ['that is there', 200, PAGE, 'HEAD'],
    ['that refuses HEAD', 'no head', PAGE, 'HEAD GET'],
    ['that is gone', 404, failed('The page answered HTTP 404.'), 'HEAD GET'],
    ['that is gone for good', 410, failed('The page answered HTTP 410.'), 'HEAD GET'],
    ['of a server at fault', 500, failed('The page answered HTTP 500.'), 'HEAD GET'],
    ['for members', 401, closed('The page does not let us look (HTTP 401).'), 'HEAD GET'],
    ['for others', 403, closed('The page does not let us look (HTTP 403).'), 'HEAD GET'],
    ['blocked by law', 451, closed('The page does not let us look (HTTP 451).'), 'HEAD GET'],
    ['of LinkedIn', 999, closed('The page does not let us look (HTTP 999).'), 'HEAD GET'],
    ['that asks for patience', 429, closed('The page does not let us look (HTTP 429).'), 'HEAD'],
    [
      'behind a bot wall',
      { status: 503, headers: { 'cf-mitigated': 'challenge' } },
      closed('The page does not let us look (HTTP 503).'),
      'HEAD GET',
    ],
    ['that sends us nowhere', 302, closed('The page does not let us look (HTTP 302).'), 'HEAD GET'],
  ])('%s has the right result', async (_, answer, found, methods) => {
    await using pages = await startPages()
    pages.answers.set('/page', answer)
    const reply = await webPages({ reach: reachOf(pages.port) }).ask(
      pages.at('news.example', '/page'),
      patiently(),
    )
    expect(reply).toMatchObject(found)
    expect(pages.calls.map(({ method }) => method).join(' ')).toBe(methods)
  })

  it('counts as existing if it is endless, and is not read to the end', async () => {
    await using pages = await startPages()
    pages.answers.set('/page', 'huge')
    const { ask } = webPages({ reach: reachOf(pages.port) })
    expect(await ask(pages.at('news.example', '/page'), patiently())).toMatchObject(PAGE)
    // At most the buffers in between.
    expect(pages.bytesSent()).toBeLessThan(50_000_000)
  })

  it('counts as failed if it never answers, by HEAD and by GET', async () => {
    await using pages = await startPages()
    pages.answers.set('/page', 'silent')
    const { ask } = webPages({ reach: reachOf(pages.port), timeoutMs: 50 })
    expect(await ask(pages.at('news.example', '/page'), patiently())).toEqual({
      kind: 'failed',
      reason: 'The page did not answer in time (0.05 s).',
      isAnswer: false,
    })
  })

  it('has no result if the check is aborted', async () => {
    await using pages = await startPages()
    pages.answers.set('/page', 'silent')
    const stop = new AbortController()
    const reply = webPages({ reach: reachOf(pages.port) }).ask(
      pages.at('news.example', '/page'),
      stop.signal,
    )
    stop.abort(new Error('stopping'))
    await expect(reply).rejects.toThrow('stopping')
  })

  it('is possibly fine if its name is unknown or the connection breaks', async () => {
    await using pages = await startPages()
    pages.answers.set('/page', 'broken')
    const { ask } = webPages({ reach: reachOf(pages.port) })
    const mayBeOurs = { kind: 'failed', isAnswer: false }
    expect(await ask('https://gone.example/page', patiently())).toEqual({
      ...mayBeOurs,
      reason: 'The page cannot be reached (ENOTFOUND).',
    })
    expect(await ask(pages.at('news.example', '/page'), patiently())).toMatchObject(mayBeOurs)
  })
})

describe('a redirect of a source', () => {
  it('is followed, also to another host', async () => {
    await using pages = await startPages()
    pages.answers.set('/old', to(pages.at('other.example', '/new'), 301))
    pages.answers.set('/new', to('/newest', 308))
    pages.answers.set('/newest', 200)
    const { ask } = webPages({ reach: reachOf(pages.port) })
    expect(await ask(pages.at('news.example', '/old'), patiently())).toMatchObject(PAGE)
    expect(pages.calls.map(({ host, path }) => host + path)).toEqual([
      'news.example/old',
      'other.example/new',
      'other.example/newest',
    ])
  })

  it('ends in a circle', async () => {
    await using pages = await startPages()
    pages.answers.set('/a', to('/b'))
    pages.answers.set('/b', to('/a'))
    const { ask } = webPages({ reach: reachOf(pages.port) })
    expect(await ask(pages.at('news.example', '/a'), patiently())).toMatchObject(
      failed('The page sends us on and on (more than 5 redirects).'),
    )
    expect(pages.calls).toHaveLength(12)
  })

  it.each(['http://169.254.169.254/latest', 'http://news.example:22/', 'file:///etc/passwd'])(
    'to %s is not followed',
    async (location) => {
      await using pages = await startPages()
      pages.answers.set('/page', to(location))
      const { ask } = webPages({ reach: reachOf(pages.port) })
      expect(await ask(pages.at('news.example', '/page'), patiently())).toMatchObject(
        closed('The page redirects us to an address that we may not call.'),
      )
      expect(pages.calls).toHaveLength(1)
    },
  )

  it('to a name with a private address is not followed', async () => {
    await using pages = await startPages()
    pages.answers.set('/page', to(pages.at('private.example', '/page')))
    const { ask } = webPages({ reach: reachOf(pages.port) })
    expect(await ask(pages.at('news.example', '/page'), patiently())).toMatchObject({
      kind: 'closed',
    })
    expect(pages.calls).toHaveLength(1)
  })
})

it.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://192.168.1.1/',
  'http://2130706433/',
  'https://93.184.216.34/',
  'http://localhost/',
  'http://user:password@news.example/',
  'https://news.example:8443/',
  'ftp://news.example/',
  'no address',
])('a source at %s is never called', async (url) => {
  expect(await webPages().ask(url, patiently())).toEqual({
    kind: 'closed',
    reason: 'The page has an address that we may not call.',
  })
})
