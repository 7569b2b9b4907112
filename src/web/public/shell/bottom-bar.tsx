import { useEffect, useState } from 'react'
import { openDialog } from '#web/address/dialog-place.ts'
import { onWindow } from '#web/ui/hooks.ts'
import { classNames } from '#web/ui/primitives.tsx'
import { Icon, type IconName } from '#web/ui/icon.tsx'
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
      <button
        type="button"
        className={`${css.item} inner-ring`}
        aria-haspopup="dialog"
        onClick={() => openDialog('menu')}
      >
        <Icon name="menu" />
        Menu
      </button>
      {actions && <Actions {...actions} />}
      <BackToTop />
    </nav>
  )
}

function Actions({ filter, onReset, onFilter }: BarActions) {
  return (
    <>
      <button
        type="button"
        className={`${css.item} inner-ring`}
        aria-label="Reset filters and chart"
        onClick={onReset}
      >
        <Icon name="reset" />
        Reset
      </button>
      {onFilter && (
        <button
          type="button"
          className={classNames(css.item, 'inner-ring', filter && css.on)}
          aria-label={
            filter
              ? `Status filter: ${filter.label}, ${String(filter.count)}`
              : 'Status filter: All'
          }
          onClick={onFilter}
        >
          <Icon name="filter" />
          <span aria-hidden="true">
            {filter ? `${filter.label} ${String(filter.count)}` : 'All'}
          </span>
        </button>
      )}
    </>
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
    <button
      type="button"
      className={`${css.item} inner-ring`}
      aria-label="Back to top"
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
    >
      <Icon name="arrow-up" />
      Top
    </button>
  )
}
