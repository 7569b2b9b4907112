import { type Priced } from '#contracts/page.ts'
import { readHedgehogPath } from '#contracts/paths.ts'
import { TODAY_PATH } from '#contracts/today.ts'
import { type AssetKey, ASSETS } from '#domain/asset.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import css from './site-header.module.css'
import { Row } from '#web/ui/primitives.tsx'

const PLACES = [
  { name: 'Experts', href: '/experts', isHere: (path: string) => path === '/experts' },
  { name: 'History', href: '/history', isHere: (path: string) => readHedgehogPath(path) !== null },
  { name: 'Today', href: TODAY_PATH, isHere: (path: string) => path === TODAY_PATH },
] as const

export function SiteHeader({
  current,
  path,
  priced,
  onSearch,
  onSubmit,
}: {
  readonly current: AssetKey | null
  readonly path: string
  /** Assets with prices; others are announced as coming soon. */
  readonly priced: Priced
  readonly onSearch: () => void
  readonly onSubmit: () => void
}) {
  return (
    <header className={`${css.header} ruled-bottom`} data-wide={current !== null}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Row justify="between" className={`${css.bar} container`}>
        <Row
          as="a"
          className={`${css.home} clipped nowrap unlined`}
          href="/"
          aria-label="Proof of Price, home"
        >
          <Logo />
          <span>Proof of Price</span>
        </Row>
        <Row
          as="nav"
          gap={1}
          whole
          className={`${css.assets} grow off-phones`}
          aria-label="Assets and experts"
        >
          {Object.values(ASSETS).map((asset) => (
            <Row
              as="a"
              whole
              key={asset.key}
              className={`${css.asset} ${priced[asset.key] ? '' : css.unpriced} muted semibold unlined nowrap tap`}
              href={asset.route}
              aria-current={asset.key === current ? 'page' : undefined}
            >
              {asset.symbol}
              {!priced[asset.key] && <small>Coming Soon</small>}
            </Row>
          ))}
          {PLACES.map(({ name, href, isHere }) => (
            <Row
              as="a"
              whole
              key={href}
              className={`${css.asset} muted semibold unlined nowrap tap`}
              href={href}
              aria-current={isHere(path) ? 'page' : undefined}
            >
              {name}
            </Row>
          ))}
        </Row>
        {/* The live price, shown when the page's own one is out of view. */}
        <span id="live-slot" className={css.live} />
        <Row whole className={css.tools}>
          <Button look="primary" className={css.submit} onClick={onSubmit}>
            Submit Prediction
          </Button>
          <IconButton
            label="Search"
            aria-haspopup="dialog"
            aria-keyshortcuts="/ Control+K"
            onClick={onSearch}
          >
            <Icon name="search" />
          </IconButton>
          <span className="off-phones">
            <ThemeSwitch />
          </span>
        </Row>
      </Row>
    </header>
  )
}

/** The logo: a price line that meets a predicted level, with a tick. Also in /favicon.svg. */
function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--brand)" />
      <path d="M6 11h20" stroke="var(--on-brand)" strokeWidth="2" strokeDasharray="2.5 2.5" />
      <path
        d="m6 24 5-5 4 3 8-11"
        fill="none"
        stroke="var(--on-brand)"
        strokeWidth="2.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="23" cy="11" r="3.25" fill="var(--on-brand)" />
    </svg>
  )
}
