import { useTitle } from '#web/admin/use-title.ts'
import { AuditView } from '#web/features/audit/audit-view.tsx'
import css from '#web/ui/desk.module.css'

/** Who did what. */
export function AuditPage() {
  useTitle('Audit log')
  return (
    <div className={css.page}>
      <h1 className={css.title}>Audit log</h1>
      <AuditView />
    </div>
  )
}
