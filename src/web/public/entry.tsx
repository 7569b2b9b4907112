import '#web/api/without-eval.ts'
import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type PageInput } from '#contracts/page.ts'
import { dayOfTime, readDay } from '#domain/day.ts'
import { openDialog } from '#web/address/dialog-place.ts'
import { followLinks } from '#web/address/location.ts'
import { fetchPage, inlinedPage } from '#web/api/page-data.ts'
import { watchReach } from '#web/api/reach.ts'
import { contentOf } from '#web/head/site.ts'
import { bearTranslation } from '#web/ui/bear-translation.ts'
import { registerWorker } from '#web/worker/register.ts'
import { App } from './app.tsx'
import { loadView } from './page-views.ts'
import '#web/ui/base.css'
import { takeOverScroll } from './scroll.ts'
import { followSearchKeys } from './search/search-keys.ts'

// Avoid top-level `await`: page code may be bundled into this file and would wait for it forever.
void start()

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the template has no #root')
  bearTranslation()
  watchReach()
  takeOverScroll()
  followLinks()
  followSearchKeys(() => openDialog('search'))
  const inlined = inlinedPage()
  if (inlined) {
    const app = await appOf(inlined)
    // In a transition, React hydrates in short steps instead of one long task.
    startTransition(() => void hydrateRoot(root, app))
    registerWorker()
    return
  }
  // In development, Vite serves the bare template, so data is fetched and the page rendered by the browser alone.
  const { pathname, search } = window.location
  const input = await fetchPage(pathname + search, new AbortController().signal)
  createRoot(root).render(await appOf(input))
  const { applyHead } = await import('#web/head/head.ts')
  applyHead(contentOf(input.data), input.origin)
}

async function appOf(input: PageInput) {
  const content = contentOf(input.data)
  const view = await loadView(content.page)
  const [path = '/'] = input.url.split('?')
  return (
    <StrictMode>
      <App
        first={{ path, content, view }}
        url={input.url}
        origin={input.origin}
        today={readDay(input.today) ?? dayOfTime(Date.now())}
        priced={input.priced}
        contacts={input.contacts}
      />
    </StrictMode>
  )
}
