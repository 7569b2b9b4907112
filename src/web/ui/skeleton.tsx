import { classNames } from './class-names.ts'
import css from './skeleton.module.css'

/** Grey shapes in the geometry of what is loading. @param label what that is, such as `Loading BTC chart...` */
export function Skeleton({
  shape,
  count = 1,
  label,
}: {
  readonly shape: 'card' | 'chart'
  readonly count?: number
  readonly label: string
}) {
  return (
    <>
      <NeedsScripts />
      <div className={css.lines} role="status">
        <span className={css.label}>{label}</span>
        {Array.from({ length: count }, (_, i) => (
          <div key={i} className={classNames(css.block, css[shape])} />
        ))}
      </div>
    </>
  )
}

/** What a reader sees whose browser runs no scripts, where a page is nothing without them. Only the server draws it. */
export function NeedsScripts() {
  return (
    <noscript>
      {import.meta.env.SSR && <p>This needs JavaScript, which is off in this browser.</p>}
    </noscript>
  )
}
