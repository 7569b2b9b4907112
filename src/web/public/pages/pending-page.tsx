import prose from '#web/ui/prose.module.css'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** While a page is fetched: the place of a headline and of what follows. */
export function PendingPage() {
  return (
    <div className={prose['page']}>
      <Skeleton shape="card" count={3} label="Loading the page" />
    </div>
  )
}
