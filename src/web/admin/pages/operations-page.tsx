import { AdminPage } from '#web/admin/admin-page.tsx'
import { EarlierDaysPanel } from '#web/admin/operations/earlier-days-panel.tsx'
import { JobsPanel } from '#web/admin/operations/jobs-panel.tsx'
import { JumpsPanel } from '#web/admin/operations/jumps-panel.tsx'
import { ProcessesPanel } from '#web/admin/operations/processes-panel.tsx'
import { SourceChecksPanel } from '#web/admin/operations/source-checks-panel.tsx'
import { SourcesPanel } from '#web/admin/operations/sources-panel.tsx'
import { Text } from '#web/ui/text.tsx'

/** Jobs, price sources, and questions that the site cannot answer alone. */
export function OperationsPage() {
  return (
    <AdminPage
      title="Operations"
      aside={
        <Text as="a" size="small" href="/metrics" target="_blank">
          Metrics
        </Text>
      }
    >
      <JumpsPanel />
      <JobsPanel />
      <ProcessesPanel />
      <SourcesPanel />
      <EarlierDaysPanel />
      <SourceChecksPanel />
    </AdminPage>
  )
}
