import { expect, it, vi } from 'vitest'
import { goTo } from '#web/address/location.ts'
import { keepScroll, takeOverScroll } from './scroll.ts'

it('Back restores the scroll position, even if the last scroll event was not fired', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => {})
  history.pushState(null, '', '/btc')
  takeOverScroll()
  const scrolled = vi.spyOn(window, 'scrollY', 'get').mockReturnValue(700)
  goTo('/predictions/a')
  scrolled.mockReturnValue(0)
  keepScroll()
  expect(scrollTo).toHaveBeenLastCalledWith(0, 0)
  const back = new Promise((done) => window.addEventListener('popstate', done, { once: true }))
  history.back()
  await back
  keepScroll()
  expect(scrollTo).toHaveBeenLastCalledWith(0, 700)
})
