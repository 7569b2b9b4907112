import { type Priced } from '#contracts/page.ts'
import { type AssetKey, ASSETS } from '#domain/asset.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { Logo } from './logo.tsx'
import css from './site-header.module.css'
import { Row } from '#web/ui/stack.tsx'

export function SiteHeader({
  current,
  isExperts,
  isHistory,
  priced,
  onSearch,
  onSubmit,
}: {
  /** The asset whose page this is; null on other pages. */
  readonly current: AssetKey | null
  /** Whether this is the page that compares people. */
  readonly isExperts: boolean
  /** Whether this is the page of all calls. */
  readonly isHistory: boolean
  /** Assets with prices; the others come soon. */
  readonly priced: Priced
  readonly onSearch: () => void
  readonly onSubmit: () => void
}) {
  return (
    <header className={classNames(css.header, current && css.onAsset)}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Row gap={4} whole className={css.bar}>
        <Row as="a" gap={3} whole className={css.home} href="/" aria-label="Proof of Price, home">
          <Logo />
          <span className={css.name}>Proof of Price</span>
        </Row>
        <Row as="nav" gap={1} whole className={css.assets} aria-label="Assets and experts">
          {Object.values(ASSETS).map((asset) => (
            <Row
              as="a"
              whole
              key={asset.key}
              className={css.asset}
              href={asset.route}
              aria-current={asset.key === current ? 'page' : undefined}
            >
              {asset.symbol}
              {!priced[asset.key] && <span className={css.soon}>Coming Soon</span>}
            </Row>
          ))}
          <Row
            as="a"
            whole
            className={css.asset}
            href="/experts"
            aria-current={isExperts ? 'page' : undefined}
          >
            Experts
          </Row>
          <Row
            as="a"
            whole
            className={css.asset}
            href="/history"
            aria-current={isHistory ? 'page' : undefined}
          >
            History
          </Row>
        </Row>
        <Row whole>
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
          <span className={css.theme}>
            <ThemeSwitch />
          </span>
        </Row>
      </Row>
    </header>
  )
}
