import { createElement, type ComponentType, type ReactNode } from 'react'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { fetchPage } from '#web/api/page-data.ts'
import {
  type ContentOf,
  type PageContent,
  type PageName,
  type PageProps,
  contentOf,
} from '#web/head/site.ts'

export type PageView = (props: { readonly content: PageContent }) => ReactNode

/** Wraps a page component so that it renders only matching content. */
function pageView<Name extends PageName>(
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

/** Written this way for the smallest bundle; vite.config.ts lists the same paths. */
const LOADERS: { readonly [Name in PageName]: () => Promise<ComponentType<PageProps<Name>>> } = {
  landing: () => import('./pages/landing-page.tsx').then((code) => code.LandingPage),
  asset: () => import('./pages/asset-page.tsx').then((code) => code.AssetPage),
  prediction: () => import('./pages/prediction-page.tsx').then((code) => code.PredictionPage),
  experts: () => import('./pages/experts-page.tsx').then((code) => code.ExpertsPage),
  expert: () => import('./pages/expert-page.tsx').then((code) => code.ExpertPage),
  years: () => import('./pages/years-page.tsx').then((code) => code.YearsPage),
  year: () => import('./pages/year-page.tsx').then((code) => code.YearPage),
  hedgehog: () => import('./pages/hedgehog-page.tsx').then((code) => code.HedgehogPage),
  receipt: () => import('./pages/receipt-page.tsx').then((code) => code.ReceiptPage),
  confirm: () => import('./pages/letter-pages.tsx').then((code) => code.ConfirmPage),
  following: () => import('./pages/letter-pages.tsx').then((code) => code.FollowingPage),
  methodology: () => import('./pages/methodology-page.tsx').then((code) => code.MethodologyPage),
  data: () => import('./pages/data-page.tsx').then((code) => code.DataPage),
  today: () => import('./pages/today-page.tsx').then((code) => code.TodayPage),
  corrections: () => import('./pages/corrections-page.tsx').then((code) => code.CorrectionsPage),
  reports: () => import('./pages/reports-page.tsx').then((code) => code.ReportsPage),
  report: () => import('./pages/report-page.tsx').then((code) => code.ReportPage),
  about: () => import('./pages/about-page.tsx').then((code) => code.AboutPage),
  terms: () => import('./pages/terms-page.tsx').then((code) => code.TermsPage),
  missing: () => import('./pages/missing-page.tsx').then((code) => code.MissingPage),
  unavailable: () => import('./pages/missing-page.tsx').then((code) => code.UnavailablePage),
}

export const PAGE_NAMES = Object.keys(LOADERS) as PageName[]

const loaded = new Map<PageName, Promise<PageView>>()

export function loadView(name: PageName): Promise<PageView> {
  const known = loaded.get(name)
  if (known) return known
  const view = viewOf(name)
  loaded.set(name, view)
  // Retry a chunk that failed to load next time.
  view.catch(() => loaded.delete(name))
  return view
}

async function viewOf<Name extends PageName>(name: Name): Promise<PageView> {
  return pageView(name, await LOADERS[name]())
}

export type Destination = {
  readonly path: string
  readonly content: PageContent
  readonly view: PageView
}

export function assetAt(path: string): AssetKey | null {
  return Object.values(ASSETS).find((asset) => asset.route === path)?.key ?? null
}

/** Visited pages, so that Back shows them immediately. */
const seen = new Map<string, Destination>()
const MOST_SEEN = 30

export function remember(destination: Destination): void {
  seen.delete(destination.path)
  seen.set(destination.path, destination)
  const oldest = seen.keys().next()
  if (seen.size > MOST_SEEN && !oldest.done) seen.delete(oldest.value)
}

export function forget(): void {
  seen.clear()
}

export function remembered(path: string): Destination | null {
  return seen.get(path) ?? null
}

/** Loads code and data in parallel; asset pages load their own lists. */
export async function travelTo(path: string, signal: AbortSignal): Promise<Destination> {
  const asset = assetAt(path)
  const content: PageContent = asset
    ? { page: 'asset', asset, seed: null }
    : contentOf((await fetchPage(path, signal)).data)
  return { path, content, view: await loadView(content.page) }
}
