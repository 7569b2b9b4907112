import { createElement, type ComponentType, type ReactNode } from 'react'
import { type ContentOf, type PageContent, type PageName, type PageProps } from '#web/head/site.ts'

/** Draws the content of one kind of page. */
export type PageView = (props: { readonly content: PageContent }) => ReactNode

/** A page's component as a view: it is drawn only with the content that is its own. */
export function pageView<Name extends PageName>(
  name: Name,
  Page: ComponentType<PageProps<Name>>,
): PageView {
  return function View({ content }) {
    return isOf(name, content) ? createElement(Page, { content }) : null
  }
}

function isOf<Name extends PageName>(name: Name, content: PageContent): content is ContentOf<Name> {
  return content.page === name
}

/**
 * The code of each page, loaded when it is first needed. The paths are known to vite.config.ts too, which shows the
 * server what to preload.
 */
const LOADERS: { readonly [Name in PageName]: () => Promise<ComponentType<PageProps<Name>>> } = {
  landing: async () => (await import('./pages/landing-page.tsx')).LandingPage,
  asset: async () => (await import('./pages/asset-page.tsx')).AssetPage,
  prediction: async () => (await import('./pages/prediction-page.tsx')).PredictionPage,
  experts: async () => (await import('./pages/experts-page.tsx')).ExpertsPage,
  expert: async () => (await import('./pages/expert-page.tsx')).ExpertPage,
  years: async () => (await import('./pages/years-page.tsx')).YearsPage,
  year: async () => (await import('./pages/year-page.tsx')).YearPage,
  hedgehog: async () => (await import('./pages/hedgehog-page.tsx')).HedgehogPage,
  receipt: async () => (await import('./pages/receipt-page.tsx')).ReceiptPage,
  confirm: async () => (await import('./pages/confirm-page.tsx')).ConfirmPage,
  methodology: async () => (await import('./pages/methodology-page.tsx')).MethodologyPage,
  data: async () => (await import('./pages/data-page.tsx')).DataPage,
  corrections: async () => (await import('./pages/corrections-page.tsx')).CorrectionsPage,
  about: async () => (await import('./pages/about-page.tsx')).AboutPage,
  terms: async () => (await import('./pages/terms-page.tsx')).TermsPage,
  missing: async () => (await import('./pages/missing-page.tsx')).MissingPage,
  unavailable: async () => (await import('./pages/unavailable-page.tsx')).UnavailablePage,
}

const loaded = new Map<PageName, Promise<PageView>>()

export function loadView(name: PageName): Promise<PageView> {
  const known = loaded.get(name)
  if (known) return known
  const view = viewOf(name)
  loaded.set(name, view)
  // A chunk that did not arrive is asked for again next time.
  view.catch(() => loaded.delete(name))
  return view
}

async function viewOf<Name extends PageName>(name: Name): Promise<PageView> {
  return pageView(name, await LOADERS[name]())
}
