import { useTitle } from '#web/admin/use-title.ts'
import { JobsPanel } from '#web/features/operations/jobs-panel.tsx'
import { JumpsPanel } from '#web/features/operations/jumps-panel.tsx'
import { SourcesPanel } from '#web/features/operations/sources-panel.tsx'
import css from '#web/ui/desk.module.css'

/** Jobs, price sources, and questions that the site cannot answer alone. */
export function OperationsPage() {
  useTitle('Operations')
  return (
    <div className={css.page}>
      <div className={css.head}>
        <h1 className={css.title}>Operations</h1>
        <a className={css.small} href="/metrics" target="_blank">
          Metrics
        </a>
      </div>
      <JumpsPanel />
      <JobsPanel />
      <SourcesPanel />
    </div>
  )
}
