import { renderToString } from 'react-dom/server'
import { type PageInput, type RenderedPage } from '#contracts/page.ts'
import { day } from '#domain/day.ts'
import { App } from './app.tsx'
import { headMarkup } from './head/head-markup.ts'
import { headOf } from './head/head.ts'
import { pageView, type PageView } from './page-views.ts'
import { AboutPage } from './pages/about-page.tsx'
import { AssetPage } from './pages/asset-page.tsx'
import { ConfirmPage } from './pages/confirm-page.tsx'
import { ExpertPage } from './pages/expert-page.tsx'
import { LandingPage } from './pages/landing-page.tsx'
import { MethodologyPage } from './pages/methodology-page.tsx'
import { MissingPage } from './pages/missing-page.tsx'
import { PredictionPage } from './pages/prediction-page.tsx'
import { ReceiptPage } from './pages/receipt-page.tsx'
import { TermsPage } from './pages/terms-page.tsx'
import { UnavailablePage } from './pages/unavailable-page.tsx'
import { contentOf, type PageName } from './site.ts'

const VIEWS: Readonly<Record<PageName, PageView>> = {
  landing: pageView('landing', LandingPage),
  asset: pageView('asset', AssetPage),
  prediction: pageView('prediction', PredictionPage),
  expert: pageView('expert', ExpertPage),
  receipt: pageView('receipt', ReceiptPage),
  confirm: pageView('confirm', ConfirmPage),
  methodology: pageView('methodology', MethodologyPage),
  about: pageView('about', AboutPage),
  terms: pageView('terms', TermsPage),
  missing: pageView('missing', MissingPage),
  unavailable: pageView('unavailable', UnavailablePage),
}

/**
 * Head and body of a page as markup.
 *
 * @param chunks for each kind of page the script files to preload
 */
export function renderPage(
  input: PageInput,
  chunks: Readonly<Record<string, readonly string[]>>,
): RenderedPage {
  const content = contentOf(input.data)
  const [path = '/'] = input.url.split('?')
  return {
    head: headMarkup(headOf(content, input.origin), input.origin, chunks[content.page] ?? []),
    body: renderToString(
      <App
        first={{ path, content, view: VIEWS[content.page] }}
        url={input.url}
        origin={input.origin}
        today={day(input.today)}
        priced={input.priced}
        contacts={input.contacts}
      />,
    ),
  }
}
