import {
  lazy,
  memo,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  Component,
  type ReactNode,
} from 'react'
import { type Priced, type Contacts } from '#contracts/page.ts'
import { ASSETS } from '#domain/asset.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import {
  closeDialogs,
  isSubmitPlace,
  openDialog,
  useDialogPlace,
} from '#web/address/dialog-place.ts'
import { PlaceContext, usePath } from '#web/address/location.ts'
import { refreshOnReturn } from '#web/api/reach.ts'
import { followOwnSubmissions, hasOwnSubmissions } from '#web/api/stored-submissions.ts'
import { SiteContext, type PageContent, type Site } from '#web/head/site.ts'
import { Button } from '#web/ui/button.tsx'
import { during, useEscape, useOfBrowser } from '#web/ui/hooks.ts'
import { Notice, Skeleton } from '#web/ui/notice.tsx'
import { classNames, Stack, Row, Text } from '#web/ui/primitives.tsx'
import { Prose } from '#web/ui/prose.tsx'
import { later } from '#web/ui/still.tsx'
import { assetAt, forget, remember, remembered, travelTo, type Destination } from './page-views.ts'
import { keepScroll } from './scroll.ts'
import { keepEarlyKeys, takeEarlyKeys } from './search/search-keys.ts'
import { BottomBar } from './shell/bottom-bar.tsx'
import { SiteHeader } from './shell/site-header.tsx'
import { ReloadNotice, UpdateNotice } from './shell/update-notice.tsx'
import css from './app.module.css'

const SubmitDialog = later(async () => (await import('./submit/submit-dialog.tsx')).SubmitDialog)
const SearchDialog = later(
  async () => (await import('./search/search-dialog.tsx')).SearchDialog,
  <EarlyKeys />,
)
const AssetPicker = later(async () => (await import('./shell/asset-picker.tsx')).AssetPicker)
const PaymentNotes = later(async () => (await import('./shell/payment-notes.tsx')).PaymentNotes)

// Rendered by the server, and hydrated after the page.
const DownloadAndCite = import.meta.env.SSR
  ? (await import('./data/download-and-cite.tsx')).DownloadAndCite
  : lazy(async () => ({ default: (await import('./data/download-and-cite.tsx')).DownloadAndCite }))

/** Memoized, so that the server's markup stays until the code for it has loaded. */
const DataOf = memo(function DataOf({ content }: { readonly content: PageContent }) {
  return (
    <Suspense fallback={null}>
      <DownloadAndCite content={content} />
    </Suspense>
  )
})

export type AppProps = {
  readonly first: Destination
  readonly url: string
  readonly origin: string
  readonly today: Day
  readonly priced: Priced
  readonly contacts: Contacts
}

export function App(props: AppProps) {
  const [path = '/', search = ''] = props.url.split('?')
  const place = useMemo(() => ({ path, search }), [path, search])
  return (
    <PlaceContext value={place}>
      <Shell {...props} />
    </PlaceContext>
  )
}

function Shell({ first, origin, today: loadedToday, priced, contacts }: AppProps) {
  const path = usePath()
  // Pages of a past day were loaded with that day; all others show today.
  const { content } = first
  const isPast =
    (content.page === 'asset' && content.seed?.past != null) ||
    (content.page === 'today' && content.news.past !== null)
  const today = useOfBrowser(
    () => (isPast ? dayOfTime(Date.now()) : loadedToday),
    () => loadedToday,
  )
  const dialog = useDialogPlace()
  const isSubmitting = isSubmitPlace(dialog)
  const travel = useDestination(first, origin)
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
        path={path}
        priced={priced}
        onSearch={() => openDialog('search')}
        onSubmit={site.openSubmit}
      />
      <main
        id="content"
        className={classNames(css.content, asset === null && `${css.page} container`)}
        data-wide={asset !== null}
        tabIndex={-1}
      >
        <CrashBoundary key={path}>
          <CurrentPage travel={travel} />
        </CrashBoundary>
        {travel.state === 'there' && (
          <CrashBoundary key={`of ${path}`} fallback={null}>
            <DataOf content={travel.destination.content} />
          </CrashBoundary>
        )}
      </main>
      <SiteFooter contacts={contacts} />
      {asset === null && <BottomBar path={path} actions={null} />}
      <Stack gap={2} align="center" className="over-page">
        <UpdateNotice />
        {hasNotes && !isSubmitting && (
          <CrashBoundary key={path} fallback={null}>
            <PaymentNotes path={path} />
          </CrashBoundary>
        )}
        {/* Back closes the dialog too; its input is stored. */}
        {isSubmitting && (
          <CrashBoundary key={path} fallback={<ReloadNotice />}>
            <SubmitDialog asset={ASSETS[asset ?? 'btc']} onClose={closeDialogs} />
          </CrashBoundary>
        )}
        {dialog === 'menu' && asset === null && (
          <AssetPicker current={null} priced={priced} onRefresh={null} onClose={closeDialogs} />
        )}
        {dialog === 'search' && (
          <CrashBoundary fallback={<ReloadNotice />}>
            <SearchDialog onClose={() => closeDialogs()} />
          </CrashBoundary>
        )}
      </Stack>
    </SiteContext>
  )
}

function EarlyKeys(): null {
  useEscape(true, closeDialogs)
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

function CurrentPage({ travel }: { readonly travel: Travel }) {
  switch (travel.state) {
    case 'there': {
      const { view: View, content } = travel.destination
      return <View content={content} />
    }
    case 'going':
      return <Skeleton shape="card" count={3} label="Loading the page" />
    case 'stuck':
      return (
        <Notice
          alert
          title="This page could not be loaded"
          text="The server cannot be reached, or had a problem."
          onRetry={travel.retry}
        />
      )
  }
}

function useDestination(first: Destination, origin: string): Travel {
  const path = usePath()
  const [arrived, setArrived] = useState(first)
  const [failed, setFailed] = useState<{ path: string } | null>(null)
  const known = arrived.path === path ? arrived : remembered(path)
  const lastPath = useRef<string | null>(null)

  const arrive = useEffectEvent(async (signal: AbortSignal) => {
    const destination = await travelTo(path, signal)
    remember(destination)
    setArrived(destination)
  })

  useEffect(() => remember(first), [first])

  useEffect(() => {
    if (known || failed?.path === path) return
    return during(async (signal) => {
      await arrive(signal).catch(() => {
        if (!signal.aborted) setFailed({ path })
      })
    })
  }, [path, known, failed])

  // Asset pages refresh their own lists.
  useEffect(() => {
    const trip = new AbortController()
    const end = refreshOnReturn(async () => {
      forget()
      if (assetAt(path)) return
      await arrive(trip.signal)
    })
    return () => {
      end()
      trip.abort()
    }
  }, [path])

  const content = known?.content
  useEffect(() => {
    if (!content) return
    const isFirst = lastPath.current === null
    const isElsewhere = lastPath.current !== path
    lastPath.current = path
    // The first page came with its head and position, so the code for heads is needed only later.
    if (!isFirst) {
      void import('#web/head/head.ts').then(({ applyHead }) => applyHead(content, origin))
    }
    // A mere refresh must not scroll.
    if (!isElsewhere) return
    // A dialog opened while the page was loading, such as the search, keeps the focus.
    const hasDialog = document.querySelector('[role="dialog"]') !== null
    if (!isFirst && !hasDialog) document.getElementById('content')?.focus({ preventScroll: true })
    keepScroll()
  }, [content, origin, path])

  if (known) return { state: 'there', destination: known }
  if (failed?.path === path) return { state: 'stuck', retry: () => setFailed(null) }
  return { state: 'going' }
}

type Props = {
  readonly children: ReactNode
  readonly fallback?: ReactNode
}

/** Shows an error page when rendering fails. React requires a class for this. */
class CrashBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { children, fallback = <CrashPage /> } = this.props
    return this.state.failed ? fallback : children
  }
}

function CrashPage() {
  return (
    <Prose
      title="This page broke"
      lead="That is our fault, not yours. Loading it again often helps."
    >
      <p role="alert">
        <Button look="primary" onClick={() => window.location.reload()}>
          Load it again
        </Button>
      </p>
      <p>
        Or go back to the <a href="/">start page</a>.
      </p>
    </Prose>
  )
}

function SiteFooter({ contacts }: { readonly contacts: Contacts }) {
  return (
    <footer className="apart by-screen muted ruled-top">
      <div className={`${css.footer} container`}>
        <Row
          as="nav"
          gap={6}
          tight
          className={`${css.links} plain-links taps`}
          aria-label="About the site"
        >
          <a href="/">Home</a>
          <a href="/about" target="_blank">
            About Us
          </a>
          <a href="/terms" target="_blank">
            Terms of Service
          </a>
          <a href="/methodology">Methodology</a>
          <a href="/data">Data</a>
          <a href="/corrections">Corrections</a>
          {contacts.social !== null && (
            <a href={contacts.social} rel="noopener me">
              X
            </a>
          )}
          {contacts.email !== null && <a href={`mailto:${contacts.email}`}>Contact Us</a>}
          {contacts.nostr !== null && (
            <a href={contacts.nostr} rel="noopener me">
              Nostr
            </a>
          )}
          <a href="/feed.xml">RSS</a>
        </Row>
        <Text size="small">Data collected from public sources. Updated regularly.</Text>
      </div>
    </footer>
  )
}
