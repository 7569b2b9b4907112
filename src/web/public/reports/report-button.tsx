import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { later } from '#web/ui/still.tsx'

const ReportDialog = later(async () => (await import('./report-dialog.tsx')).ReportDialog)

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
      {isOpen && <ReportDialog name={name} calls={calls} onClose={() => setOpen(false)} />}
    </>
  )
}
