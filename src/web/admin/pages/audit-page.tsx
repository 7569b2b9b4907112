import { useEffect } from 'react'
import { AuditView } from '#web/features/audit/audit-view.tsx'
import css from '#web/ui/desk.module.css'

/** Who did what. */
export function AuditPage() {
  useEffect(() => {
    document.title = 'Audit log – Proof of Price administration'
  }, [])
  return (
    <div className={css.page}>
      <h1 className={css.title}>Audit log</h1>
      <AuditView />
    </div>
  )
}
