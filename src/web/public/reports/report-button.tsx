import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'

const ReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}))

export type Reportable = { readonly id: string; readonly statement: string }

export function ReportButton({
  name,
  calls,
}: {
  readonly name: string
  readonly calls: readonly Reportable[]
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Report an error
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ReportDialog name={name} calls={calls} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
