import { useEffect, useState, type ComponentProps } from 'react'
import { openDialog } from '#web/address/dialog-place.ts'
import { onWindow } from '#web/ui/hooks.ts'
import { Icon, type IconName } from '#web/ui/icon.tsx'
import { classNames } from '#web/ui/primitives.tsx'
import css from './bottom-bar.module.css'

export type BarActions = {
  /** Current status filter with its count; null shows all. */
  readonly filter: { readonly label: string; readonly count: number } | null
  readonly onReset: () => void
  /** Null without anything to filter. */
  readonly onFilter: (() => void) | null
}

/** Navigation bar on phones; dashboards add Reset and a button that cycles through status filters. */
export function BottomBar({
  path,
  actions,
}: {
  readonly path: string
  readonly actions: BarActions | null
}) {
  const place = (href: string, icon: IconName, name: string) => (
    <a
      className={`${css.item} inner-ring`}
      href={href}
      aria-current={path === href ? 'page' : undefined}
    >
      <Icon name={icon} />
      {name}
    </a>
  )
  return (
    <nav className={`${css.bar} ruled-top`} aria-label="Actions">
      {!actions && place('/btc', 'chart', 'BTC')}
      {place('/experts', 'people', 'Experts')}
      {place('/history', 'calendar', 'History')}
      <Item icon="menu" aria-haspopup="dialog" onClick={() => openDialog('menu')}>
        Menu
      </Item>
      {actions && <Actions {...actions} />}
      <BackToTop />
    </nav>
  )
}

function Actions({ filter, onReset, onFilter }: BarActions) {
  return (
    <>
      <Item icon="reset" aria-label="Reset filters and chart" onClick={onReset}>
        Reset
      </Item>
      {onFilter && (
        <Item
          icon="filter"
          className={filter ? css.on : undefined}
          aria-label={
            filter
              ? `Status filter: ${filter.label}, ${String(filter.count)}`
              : 'Status filter: All'
          }
          onClick={onFilter}
        >
          <span aria-hidden="true">
            {filter ? `${filter.label} ${String(filter.count)}` : 'All'}
          </span>
        </Item>
      )}
    </>
  )
}

function Item({
  icon,
  className,
  children,
  ...button
}: ComponentProps<'button'> & { readonly icon: IconName }) {
  return (
    <button type="button" className={classNames(css.item, 'inner-ring', className)} {...button}>
      <Icon name={icon} />
      {children}
    </button>
  )
}

/** Scroll distance after which phones offer a button to the top, CSS pixels (public-site.md §9). */
const THRESHOLD = 200

function BackToTop() {
  // Reading it in an effect or during rendering would force a layout.
  const [far, setFar] = useState(false)
  useEffect(() => {
    const read = (): void => setFar(window.scrollY > THRESHOLD)
    const frame = requestAnimationFrame(read)
    const end = onWindow(['scroll'], read, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      end()
    }
  }, [])
  if (!far) return null
  return (
    <Item
      icon="arrow-up"
      aria-label="Back to top"
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
    >
      Top
    </Item>
  )
}
