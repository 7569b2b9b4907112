import { useTitle } from '#web/admin/use-title.ts'
import { AuditView } from '#web/admin/audit/audit-view.tsx'
import css from '#web/ui/admin-page.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Who did what. */
export function AuditPage() {
  useTitle('Audit log')
  return (
    <Stack gap={4} className={css.page}>
      <Text as="h1" size="title">
        Audit log
      </Text>
      <AuditView />
    </Stack>
  )
}
