import { renderToString } from 'react-dom/server'
import { type AssetPageData, type PageInput, type RenderedPage } from '#contracts/page.ts'
import { day, readDay } from '#domain/day.ts'
import { closesPath } from '#web/api/prices.ts'
import { headMarkup } from '#web/head/head-markup.ts'
import { headOf } from '#web/head/head.ts'
import { contentOf } from '#web/head/site.ts'
import { App } from '#web/public/app.tsx'
import { loadView, PAGE_NAMES } from '#web/public/page-views.ts'

const VIEWS = new Map(
  await Promise.all(PAGE_NAMES.map(async (name) => [name, await loadView(name)] as const)),
)

/** @param chunks script files to preload for each kind of page */
export function renderPage(
  input: PageInput,
  chunks: Readonly<Record<string, readonly string[]>>,
): RenderedPage {
  const content = contentOf(input.data)
  const view = VIEWS.get(content.page)
  if (!view) throw new Error(`no view of ${content.page}`)
  const [path = '/', search = ''] = input.url.split('?')
  return {
    head: headMarkup(
      headOf(content, input.origin),
      input.origin,
      search,
      chunks[content.page] ?? [],
      content.page === 'asset' && content.seed ? firstCloses(content.seed) : null,
    ),
    body: renderToString(
      <App
        first={{ path, content, view }}
        url={input.url}
        origin={input.origin}
        today={day(input.today)}
        priced={input.priced}
        contacts={input.contacts}
      />,
    ),
  }
}

/** Address of the closes that a dashboard draws, if any. */
function firstCloses({ asset, part: { prices }, past }: AssetPageData): string | null {
  const day = readDay(past)
  if (prices.last === null) return null
  return closesPath(asset, day === null ? { version: prices.version } : { past: day })
}
