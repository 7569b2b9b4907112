import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type PageInput } from '#contracts/page.ts'
import { dayFromNumber, readDay } from '#domain/day.ts'
import { fetchPage, inlinedPage } from '#web/api/page-data.ts'
import { App } from './app.tsx'
import { loadView } from './page-views.ts'
import { followLinks } from './location.ts'
import { takeOverScroll } from './scroll.ts'
import { contentOf } from './site.ts'
import '#web/ui/base.css'
import { registerWorker } from './worker/register.ts'

const root = document.getElementById('root')
if (!root) throw new Error('the template has no #root')

const inlined = inlinedPage()
takeOverScroll()
followLinks()
if (inlined) {
  hydrateRoot(root, await appOf(inlined))
  registerWorker()
} else {
  // Development: Vite serves the bare template, so the page asks for its data and is drawn by the browser alone.
  const { pathname, search } = window.location
  const input = await fetchPage(pathname + search, new AbortController().signal)
  createRoot(root).render(await appOf(input))
  const { applyHead } = await import('./head/apply-head.ts')
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
        today={readDay(input.today) ?? dayFromNumber(Date.now() / 86_400_000)}
        priced={input.priced}
      />
    </StrictMode>
  )
}
