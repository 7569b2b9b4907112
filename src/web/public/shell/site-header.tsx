import { type Priced } from '#contracts/page.ts'
import { readHedgehogPath } from '#contracts/paths.ts'
import { TODAY_PATH } from '#contracts/today.ts'
import { type AssetKey, ASSETS } from '#domain/asset.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { classNames, Row } from '#web/ui/primitives.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import css from './site-header.module.css'

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
  const place = (href: string, name: string, isHere = path === href, isPriced = true) => (
    <Row
      as="a"
      whole
      key={href}
      className={classNames(
        css.asset,
        !isPriced && css.unpriced,
        'muted semibold unlined nowrap tap',
      )}
      href={href}
      aria-current={isHere ? 'page' : undefined}
    >
      {name}
      {!isPriced && <small>Coming Soon</small>}
    </Row>
  )
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
          {/* A price line that meets a predicted level, with a tick; also in /favicon.svg. */}
          <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
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
          <span>Proof of Price</span>
        </Row>
        <Row
          as="nav"
          gap={1}
          whole
          className={`${css.assets} grow off-phones`}
          aria-label="Assets and experts"
        >
          {Object.values(ASSETS).map(({ key, route, symbol }) =>
            place(route, symbol, key === current, Boolean(priced[key])),
          )}
          {place('/experts', 'Experts')}
          {place('/history', 'History', readHedgehogPath(path) !== null)}
          {place(TODAY_PATH, 'Today')}
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
