import { classNames } from './class-names.ts'
import { NeedsScripts } from './needs-scripts.tsx'
import css from './skeleton.module.css'

/**
 * Grey shapes in the geometry of what is loading, with the words for those who cannot see them.
 *
 * @param label what is loading, such as `Loading BTC chart...`
 */
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
        <span className="aside-voice">{label}</span>
        {Array.from({ length: count }, (_, i) => (
          <div key={i} className={classNames(css.block, css[shape])} />
        ))}
      </div>
    </>
  )
}
