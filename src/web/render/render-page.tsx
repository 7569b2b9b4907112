import { renderToString } from 'react-dom/server'
import { type AssetPageData, type PageInput, type RenderedPage } from '#contracts/page.ts'
import { day, readDay } from '#domain/day.ts'
import { closesPath } from '#web/api/closes.ts'
import { App } from '#web/public/app.tsx'
import { headMarkup } from '#web/head/head-markup.ts'
import { headOf } from '#web/head/head.ts'
import { pageView, type PageView } from '#web/public/page-views.ts'
import { AboutPage } from '#web/public/pages/about-page.tsx'
import { AssetPage } from '#web/public/pages/asset-page.tsx'
import { ConfirmPage } from '#web/public/pages/confirm-page.tsx'
import { DataPage } from '#web/public/pages/data-page.tsx'
import { CorrectionsPage } from '#web/public/pages/corrections-page.tsx'
import { ExpertPage } from '#web/public/pages/expert-page.tsx'
import { ExpertsPage } from '#web/public/pages/experts-page.tsx'
import { FollowingPage } from '#web/public/pages/following-page.tsx'
import { HedgehogPage } from '#web/public/pages/hedgehog-page.tsx'
import { LandingPage } from '#web/public/pages/landing-page.tsx'
import { MethodologyPage } from '#web/public/pages/methodology-page.tsx'
import { MissingPage } from '#web/public/pages/missing-page.tsx'
import { PredictionPage } from '#web/public/pages/prediction-page.tsx'
import { ReceiptPage } from '#web/public/pages/receipt-page.tsx'
import { ReportPage } from '#web/public/pages/report-page.tsx'
import { ReportsPage } from '#web/public/pages/reports-page.tsx'
import { TermsPage } from '#web/public/pages/terms-page.tsx'
import { UnavailablePage } from '#web/public/pages/unavailable-page.tsx'
import { YearPage } from '#web/public/pages/year-page.tsx'
import { YearsPage } from '#web/public/pages/years-page.tsx'
import { contentOf, type PageName } from '#web/head/site.ts'

const VIEWS: Readonly<Record<PageName, PageView>> = {
  landing: pageView('landing', LandingPage),
  asset: pageView('asset', AssetPage),
  prediction: pageView('prediction', PredictionPage),
  expert: pageView('expert', ExpertPage),
  experts: pageView('experts', ExpertsPage),
  years: pageView('years', YearsPage),
  year: pageView('year', YearPage),
  hedgehog: pageView('hedgehog', HedgehogPage),
  receipt: pageView('receipt', ReceiptPage),
  confirm: pageView('confirm', ConfirmPage),
  following: pageView('following', FollowingPage),
  methodology: pageView('methodology', MethodologyPage),
  data: pageView('data', DataPage),
  corrections: pageView('corrections', CorrectionsPage),
  reports: pageView('reports', ReportsPage),
  report: pageView('report', ReportPage),
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

/** The closes that a dashboard draws; null where there are none. */
function firstCloses({ asset, part: { prices }, past }: AssetPageData): string | null {
  const day = past === null ? null : readDay(past)
  if (prices.last === null) return null
  return closesPath(asset, day === null ? { version: prices.version } : { past: day })
}
