import { readHedgehogPath } from '#contracts/hedgehog.ts'
import { type Priced } from '#contracts/page.ts'
import {
  lazy,
  memo,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Contacts } from '#contracts/page.ts'
import { ASSETS } from '#domain/asset.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { SiteFooter } from './shell/site-footer.tsx'
import { SiteHeader } from './shell/site-header.tsx'
import { followOwnSubmissions, hasOwnSubmissions } from '#web/api/kept-submissions.ts'
import { keepEarlyKeys, takeEarlyKeys } from './search/early-keys.ts'
import { useSearchKeys } from './search/use-search-keys.ts'
import { refreshOnReturn } from '#web/api/reach.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useEscape } from '#web/ui/use-escape.ts'
import css from './app.module.css'
import { assetAt, forget, remember, remembered, travelTo, type Destination } from './destination.ts'
import { CrashBoundary } from './pages/crash-page.tsx'
import { PendingPage } from './pages/pending-page.tsx'
import notices from './shell/notices.module.css'
import { ReloadNotice, UpdateNotice } from './shell/update-notice.tsx'
import {
  closeDialogs,
  isSubmitPlace,
  openDialog,
  useDialogPlace,
} from '#web/address/dialog-place.ts'
import { PlaceContext, usePath } from '#web/address/location.ts'
import { keepScroll } from './scroll.ts'
import { SiteContext, type PageContent, type Site } from '#web/head/site.ts'
import { Stack } from '#web/ui/stack.tsx'

const SubmitDialog = lazy(async () => ({
  default: (await import('./submit/submit-dialog.tsx')).SubmitDialog,
}))

const SearchDialog = lazy(async () => ({
  default: (await import('./search/search-dialog.tsx')).SearchDialog,
}))

const PaymentNotes = lazy(async () => ({
  default: (await import('./shell/payment-notes.tsx')).PaymentNotes,
}))

// The server draws it; a page comes to life before it.
const DownloadAndCite = import.meta.env.SSR
  ? (await import('./data/download-and-cite.tsx')).DownloadAndCite
  : lazy(async () => ({
      default: (await import('./data/download-and-cite.tsx')).DownloadAndCite,
    }))

/** Not drawn again while the page is the same: what the server drew stays until the code for it has come. */
const DataOf = memo(function DataOf({ content }: { readonly content: PageContent }) {
  return (
    <Suspense fallback={null}>
      <DownloadAndCite content={content} />
    </Suspense>
  )
})

export type AppProps = {
  /** The page of the first answer. */
  readonly first: Destination
  /** Its path and query, as the server saw them. */
  readonly url: string
  readonly origin: string
  readonly today: Day
  readonly priced: Priced
  readonly contacts: Contacts
}

/** The whole site, on the server and in the browser. */
export function App(props: AppProps) {
  const [path = '/', search = ''] = props.url.split('?')
  const place = useMemo(() => ({ path, search }), [path, search])
  return (
    <PlaceContext value={place}>
      <Shell {...props} />
    </PlaceContext>
  )
}

function Shell({ first, origin, today: givenToday, priced, contacts }: AppProps) {
  const path = usePath()
  // A page as of a past day came with that day; all others are of today.
  const isPast = first.content.page === 'asset' && first.content.seed?.past != null
  const today = useSyncExternalStore(
    () => () => undefined,
    () => (isPast ? dayOfTime(Date.now()) : givenToday),
    () => givenToday,
  )
  const dialog = useDialogPlace()
  const isSubmitting = isSubmitPlace(dialog)
  useSearchKeys(() => openDialog('search'))
  const shown = useDestination(first, origin)
  const hasNotes = useSyncExternalStore(followOwnSubmissions, hasOwnSubmissions, () => false)
  const asset = assetAt(path)
  const site = useMemo<Site>(
    () => ({
      origin,
      today,
      priced,
      contacts,
      openSubmit: () => openDialog('submit'),
    }),
    [origin, today, priced, contacts],
  )
  return (
    <SiteContext value={site}>
      <SiteHeader
        current={asset}
        isExperts={path === '/experts'}
        isHistory={readHedgehogPath(path) !== null}
        priced={priced}
        onSearch={() => openDialog('search')}
        onSubmit={site.openSubmit}
      />
      <main id="content" className={css.content} tabIndex={-1}>
        <CrashBoundary key={path}>
          <Shown shown={shown} />
        </CrashBoundary>
        {shown.state === 'there' && (
          <CrashBoundary key={`of ${path}`} fallback={null}>
            <DataOf content={shown.destination.content} />
          </CrashBoundary>
        )}
      </main>
      <SiteFooter contacts={contacts} aboveBar={asset !== null} />
      <Stack gap={2} align="center" className={notices['notices']}>
        <UpdateNotice />
        {hasNotes && !isSubmitting && (
          <CrashBoundary key={path} fallback={null}>
            <Suspense fallback={null}>
              <PaymentNotes path={path} />
            </Suspense>
          </CrashBoundary>
        )}
        {/* Back leaves the dialog behind, too; what was typed into it is kept. */}
        {isSubmitting && (
          <CrashBoundary key={path} fallback={<ReloadNotice />}>
            <Suspense fallback={null}>
              <SubmitDialog asset={ASSETS[asset ?? 'btc']} onClose={closeDialogs} />
            </Suspense>
          </CrashBoundary>
        )}
        {dialog === 'search' && (
          <CrashBoundary fallback={<ReloadNotice />}>
            <Suspense fallback={<EarlyKeys onClose={() => closeDialogs()} />}>
              <SearchDialog onClose={() => closeDialogs()} />
            </Suspense>
          </CrashBoundary>
        )}
      </Stack>
    </SiteContext>
  )
}

/** While the code of the search is on its way. */
function EarlyKeys({ onClose }: { readonly onClose: () => void }): null {
  useEscape(true, onClose)
  useLayoutEffect(() => {
    takeEarlyKeys()
    return keepEarlyKeys()
  }, [])
  return null
}

type Travel =
  | { readonly state: 'there'; readonly destination: Destination }
  | { readonly state: 'going' }
  | { readonly state: 'stuck'; readonly retry: () => void }

function Shown({ shown }: { readonly shown: Travel }) {
  switch (shown.state) {
    case 'there': {
      const { view: View, content } = shown.destination
      return <View content={content} />
    }
    case 'going':
      return <PendingPage />
    case 'stuck':
      return (
        <Notice
          alert
          title="This page could not be loaded"
          text="The server cannot be reached, or had a problem."
          onRetry={shown.retry}
        />
      )
  }
}

/** Follows the address: what is at hand is shown at once, anything else after it was fetched. */
function useDestination(first: Destination, origin: string): Travel {
  const path = usePath()
  const [arrived, setArrived] = useState(first)
  const [failed, setFailed] = useState<{ path: string } | null>(null)
  const known = arrived.path === path ? arrived : remembered(path)
  const shownPath = useRef<string | null>(null)

  useEffect(() => remember(first), [first])

  useEffect(() => {
    if (known || failed?.path === path) return
    const trip = new AbortController()
    travelTo(path, trip.signal).then(
      (destination) => {
        remember(destination)
        setArrived(destination)
      },
      () => {
        if (!trip.signal.aborted) setFailed({ path })
      },
    )
    return () => trip.abort()
  }, [path, known, failed])

  // The page of an asset refreshes its own lists.
  useEffect(() => {
    const trip = new AbortController()
    const end = refreshOnReturn(async () => {
      forget()
      if (assetAt(path)) return
      const destination = await travelTo(path, trip.signal)
      remember(destination)
      setArrived(destination)
    })
    return () => {
      end()
      trip.abort()
    }
  }, [path])

  const content = known?.content
  useEffect(() => {
    if (!content) return
    const isFirst = shownPath.current === null
    const isElsewhere = shownPath.current !== path
    shownPath.current = path
    // The first page came with its head and its place; the words of a head are needed only after it.
    if (!isFirst) {
      void import('#web/head/apply-head.ts').then(({ applyHead }) => applyHead(content, origin))
    }
    // A page that was only refreshed leaves the reader where they are.
    if (!isElsewhere) return
    // A dialog that was opened over a page on its way, such as the search, keeps the keys.
    const hasDialog = document.querySelector('[role="dialog"]') !== null
    if (!isFirst && !hasDialog) document.getElementById('content')?.focus({ preventScroll: true })
    keepScroll()
  }, [content, origin, path])

  if (known) return { state: 'there', destination: known }
  if (failed?.path === path) return { state: 'stuck', retry: () => setFailed(null) }
  return { state: 'going' }
}
