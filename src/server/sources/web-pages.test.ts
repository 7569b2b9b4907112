import { describe, expect, it } from 'vitest'
import { reachOf, startPages, type PageAnswer } from '#tests/support/stand-ins/source-pages.ts'
import { patiently } from '#tests/support/waiting.ts'
import { webPages, type PageReply } from './web-pages.ts'

const PAGE: PageReply = { kind: 'page' }
const failed = (reason: string): object => ({ kind: 'failed', reason, isAnswer: true })
const closed = (reason: string): object => ({ kind: 'closed', reason })
const to = (location: string, status = 302): PageAnswer => ({ status, headers: { location } })

/** A site with one page; `check` asks for one of its pages. */
async function site(answer: PageAnswer = 200, timeoutMs?: number) {
  const pages = await startPages()
  pages.answers.set('/page', answer)
  const { ask } = webPages({ reach: reachOf(pages.port), ...(timeoutMs && { timeoutMs }) })
  const check = (path = '/page', signal = patiently()) =>
    ask(pages.at('news.example', path), signal)
  return { ...pages, ask, check }
}

describe('the page of a source', () => {
  it.each<[string, PageAnswer, object, string]>([
    ['that is there', 200, PAGE, 'HEAD'],
    ['that refuses HEAD', 'no head', PAGE, 'HEAD GET'],
    ['that is gone', 404, failed('The page answered HTTP 404.'), 'HEAD GET'],
    ['that is gone for good', 410, failed('The page answered HTTP 410.'), 'HEAD GET'],
    ['of a server at fault', 500, failed('The page answered HTTP 500.'), 'HEAD GET'],
    ['for members', 401, closed('The page cannot be checked (HTTP 401).'), 'HEAD GET'],
    ['for other visitors', 403, closed('The page cannot be checked (HTTP 403).'), 'HEAD GET'],
    ['blocked by law', 451, closed('The page cannot be checked (HTTP 451).'), 'HEAD GET'],
    ['of LinkedIn', 999, closed('The page cannot be checked (HTTP 999).'), 'HEAD GET'],
    ['that asks for patience', 429, closed('The page cannot be checked (HTTP 429).'), 'HEAD'],
    [
      'behind a bot wall',
      { status: 503, headers: { 'cf-mitigated': 'challenge' } },
      closed('The page cannot be checked (HTTP 503).'),
      'HEAD GET',
    ],
    ['that sends us nowhere', 302, closed('The page cannot be checked (HTTP 302).'), 'HEAD GET'],
  ])('%s has the right result', async (_, answer, found, methods) => {
    await using pages = await site(answer)
    expect(await pages.check()).toMatchObject(found)
    expect(pages.calls.map(({ method }) => method).join(' ')).toBe(methods)
  })

  it('counts as existing if it is endless, and is not read to the end', async () => {
    await using pages = await site('huge')
    expect(await pages.check()).toMatchObject(PAGE)
    // At most the buffers in between.
    expect(pages.bytesSent()).toBeLessThan(50_000_000)
  })

  it('counts as failed if it never answers, by HEAD and by GET', async () => {
    await using pages = await site('silent', 50)
    const late = failed('The page did not answer in time (0.05 s).')
    expect(await pages.check()).toEqual({ ...late, isAnswer: false })
  })

  it('has no result if the check is aborted', async () => {
    await using pages = await site('silent')
    const stop = new AbortController()
    const reply = pages.check('/page', stop.signal)
    stop.abort(new Error('stopping'))
    await expect(reply).rejects.toThrow('stopping')
  })

  it('is possibly fine if its name is unknown or the connection breaks', async () => {
    await using pages = await site('broken')
    const mayBeOurs = { kind: 'failed', isAnswer: false }
    const gone = { ...mayBeOurs, reason: 'The page cannot be reached (ENOTFOUND).' }
    expect(await pages.ask('https://gone.example/page', patiently())).toEqual(gone)
    expect(await pages.check()).toMatchObject(mayBeOurs)
  })
})

describe('a redirect of a source', () => {
  it('is followed, also to another host', async () => {
    await using pages = await site()
    pages.answers.set('/old', to(pages.at('other.example', '/new'), 301))
    pages.answers.set('/new', to('/page', 308))
    expect(await pages.check('/old')).toMatchObject(PAGE)
    const way = ['news.example/old', 'other.example/new', 'other.example/page']
    expect(pages.calls.map(({ host, path }) => host + path)).toEqual(way)
  })

  it('ends in a circle', async () => {
    await using pages = await site(to('/b'))
    pages.answers.set('/b', to('/page'))
    const circle = failed('The page redirects us too often (more than 5 redirects).')
    expect(await pages.check()).toMatchObject(circle)
    expect(pages.calls).toHaveLength(12)
  })

  it.each(['http://169.254.169.254/latest', 'http://news.example:22/', 'file:///etc/passwd'])(
    'to %s is not followed',
    async (location) => {
      await using pages = await site(to(location))
      const elsewhere = closed('The page redirects us to an address that we may not call.')
      expect(await pages.check()).toMatchObject(elsewhere)
      expect(pages.calls).toHaveLength(1)
    },
  )

  it('to a name with a private address is not followed', async () => {
    await using pages = await site()
    pages.answers.set('/page', to(pages.at('private.example', '/page')))
    expect(await pages.check()).toMatchObject({ kind: 'closed' })
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
  const refused = closed('The page has an address that we may not call.')
  expect(await webPages().ask(url, patiently())).toEqual(refused)
})
