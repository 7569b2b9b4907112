import { beforeEach, describe, expect, it } from 'vitest'
import { hostOf } from './addresses.ts'
import { closeDialogs, dialogPlace, isSubmitPlace, openDialog, stepOn } from './dialog-place.ts'
import { entryKey, followLinks, goTo, MOVED_ON } from './location.ts'

/** `popstate` is fired asynchronously. */
const stepped = (): Promise<void> =>
  new Promise((done) => window.addEventListener('popstate', () => done(), { once: true }))
const here = (): string => location.pathname + location.search + location.hash

beforeEach(() => {
  history.pushState(null, '', '/btc?status=miss')
})

describe('a dialog in the address', () => {
  it('is a history entry, and closing all dialogs returns to the page below', async () => {
    const before = history.length
    openDialog('submit')
    openDialog('submit')
    openDialog('pay')
    expect([dialogPlace(), history.length - before]).toEqual(['pay', 2])
    const back = stepped()
    let after = ''
    closeDialogs(() => (after = here()))
    await back
    expect(after).toBe('/btc?status=miss')
  })

  it('has no page below when the visit began in it', () => {
    history.replaceState(null, '', '#submit')
    closeDialogs()
    expect(here()).toBe('/btc?status=miss')
    const before = history.length
    stepOn('submit', 'pay')
    expect([dialogPlace(), history.length - before]).toEqual(['pay', 1])
  })

  it('is the submit dialog only for the form and its payment', () => {
    expect(['submit', 'pay', 'search', ''].map(isSubmitPlace)).toEqual([true, true, false, false])
  })
})

describe('going to another page', () => {
  it('replaces a navigation dialog and notifies the page', () => {
    let moves = 0
    window.addEventListener(MOVED_ON, () => (moves += 1))
    openDialog('search')
    const before = history.length
    goTo('/experts')
    expect([here(), history.length - before]).toEqual(['/experts', 0])
    goTo('/years')
    expect(history.length - before).toBe(1)
    expect(moves).toBe(3)
  })

  it.each([
    ['<a href="/experts">', {}, true],
    ['<a href="/experts">', { ctrlKey: true }, false],
    ['<a href="/experts">', { button: 1 }, false],
    ['<a href="/experts">', { altKey: true }, false],
    ['<a href="/experts" target="_blank">', {}, false],
    ['<a href="/experts" download>', {}, false],
    ['<a href="/experts#rules">', {}, false],
    ['<a href="/experts.csv">', {}, false],
    ['<a href="/api/docs">', {}, false],
    ['<a href="/administration">', {}, true],
    ['<a href="https://example.org/experts">', {}, false],
    ['<a>', {}, false],
  ])('handles a click on %s with %j inside the document: %s', (link, press, stays) => {
    followLinks()
    document.body.innerHTML = `${link}<b>Go</b></a>`
    // jsdom cannot follow links that leave the site.
    const end = new AbortController()
    let isTaken = false
    window.addEventListener(
      'click',
      (event) => {
        isTaken = event.defaultPrevented
        event.preventDefault()
      },
      end,
    )
    document
      .querySelector('b')
      ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...press }))
    end.abort()
    expect(isTaken).toBe(stays)
  })

  it('ignores entry keys that are not strings', () => {
    expect([{ scrollKey: 'a' }, { scrollKey: 1 }, null, 'a'].map(entryKey)).toEqual([
      'a',
      null,
      null,
      null,
    ])
  })
})

it.each([
  ['https://www.example.org/a', 'example.org'],
  ['javascript:alert(1)', null],
  ['example.org', null],
])('extracts from %s the site %s', (url, host) => {
  expect(hostOf(url)).toBe(host)
})
