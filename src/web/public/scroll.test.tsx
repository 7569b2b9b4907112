import { expect, it, vi } from 'vitest'
import { goTo } from '#web/address/location.ts'
import { keepScroll, takeOverScroll } from './scroll.ts'

const back = async () => {
  const arrived = new Promise((done) => window.addEventListener('popstate', done, { once: true }))
  history.back()
  await arrived
  keepScroll()
}

it('Back restores the scroll position, even if the last scroll event was not fired', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => {})
  history.pushState(null, '', '/btc')
  takeOverScroll()
  const scrolled = vi.spyOn(window, 'scrollY', 'get').mockReturnValue(700)
  goTo('/predictions/a')
  scrolled.mockReturnValue(0)
  keepScroll()
  expect(scrollTo).toHaveBeenLastCalledWith(0, 0)
  scrolled.mockReturnValue(700)
  await back()
  expect(scrollTo).toHaveBeenLastCalledWith(0, 700)
})

it('Back restores the scroll position once the page has grown to it, unless the visitor scrolls first', async () => {
  let height = 2_000
  let y = 0
  let grow = (): void => {}
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => y)
  vi.spyOn(window, 'scrollTo').mockImplementation((...args: unknown[]) => {
    y = Math.min(Number(args[1]), height)
    window.dispatchEvent(new Event('scroll'))
  })
  vi.stubGlobal('ResizeObserver', function observer(seen: () => void) {
    grow = seen
    return { observe: () => {}, disconnect: () => (grow = () => {}) }
  })
  history.pushState(null, '', '/btc')
  takeOverScroll()
  for (const byVisitor of [false, true]) {
    y = 1_200
    goTo('/predictions/a')
    keepScroll()
    height = 200
    await back()
    expect(y).toBe(200)
    if (byVisitor) window.dispatchEvent(new Event('wheel'))
    height = 2_000
    grow()
    expect(y).toBe(byVisitor ? 200 : 1_200)
  }
})

it('a reload restores the position, though its scroll event was not fired and the page has yet to grow', async () => {
  let [height, y] = [2_000, 0]
  let grow = (): void => {}
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => y)
  vi.spyOn(window, 'scrollTo').mockImplementation((...args: unknown[]) => {
    y = Math.min(Number(args[1]), height)
  })
  vi.stubGlobal('ResizeObserver', function observer(seen: () => void) {
    grow = seen
    return { observe: () => {}, disconnect: () => (grow = () => {}) }
  })
  history.pushState(null, '', '/history')
  takeOverScroll()
  y = 1_200
  window.dispatchEvent(new Event('pagehide'))
  vi.resetModules()
  const reloaded = await import('./scroll.ts')
  height = 200
  reloaded.takeOverScroll()
  reloaded.keepScroll()
  expect(y).toBe(200)
  height = 2_000
  grow()
  expect(y).toBe(1_200)
})
