import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import css from './bottom-bar.module.css'

/** The thumb's bar of a phone: Menu, Reset, and the status filter that steps on with each press. */
export function BottomBar({
  filter,
  onMenu,
  onReset,
  onFilter,
}: {
  /** The status shown, with its count; null shows all. */
  readonly filter: { readonly label: string; readonly count: number } | null
  readonly onMenu: () => void
  readonly onReset: () => void
  /** Null where there is nothing to filter. */
  readonly onFilter: (() => void) | null
}) {
  return (
    <nav className={css.bar} aria-label="Actions">
      <button type="button" className={css.item} aria-haspopup="dialog" onClick={onMenu}>
        <Icon name="menu" />
        Menu
      </button>
      <button
        type="button"
        className={css.item}
        aria-label="Reset filters and chart"
        onClick={onReset}
      >
        <Icon name="reset" />
        Reset
      </button>
      {onFilter && (
        <button
          type="button"
          className={classNames(css.item, filter && css.on)}
          aria-label={
            filter
              ? `Status filter: ${filter.label}, ${String(filter.count)}`
              : 'Status filter: All'
          }
          onClick={onFilter}
        >
          <Icon name="filter" />
          <span aria-hidden="true">
            {filter ? `${filter.label} (${String(filter.count)})` : 'All'}
          </span>
        </button>
      )}
    </nav>
  )
}
