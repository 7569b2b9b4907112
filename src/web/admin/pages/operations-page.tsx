import { useTitle } from '#web/admin/use-title.ts'
import { JobsPanel } from '#web/admin/operations/jobs-panel.tsx'
import { JumpsPanel } from '#web/admin/operations/jumps-panel.tsx'
import { SourcesPanel } from '#web/admin/operations/sources-panel.tsx'
import css from '#web/ui/admin-page.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Jobs, price sources, and questions that the site cannot answer alone. */
export function OperationsPage() {
  useTitle('Operations')
  return (
    <Stack gap={4} className={css.page}>
      <Row gap={4} align="baseline" justify="between">
        <Text as="h1" size="title">
          Operations
        </Text>
        <Text as="a" size="small" href="/metrics" target="_blank">
          Metrics
        </Text>
      </Row>
      <JumpsPanel />
      <JobsPanel />
      <SourcesPanel />
    </Stack>
  )
}
