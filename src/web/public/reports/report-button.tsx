import { lazy, Suspense, useState, type ComponentType } from 'react'
import { type FiledReport } from '#web/api/reports.ts'
import { Button } from '#web/ui/button.tsx'

const ReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}))

/** A prediction that an error can be reported of. */
export type Reportable = { readonly id: string; readonly statement: string }

/** Has the deposit of a report paid, where this site asks for one. */
export type DepositStep = ComponentType<{
  readonly made: NonNullable<FiledReport['deposit']>
  readonly onPaid: () => void
  readonly onBack: () => void
}>

/** Opens the form to report an error; its code comes once it is pressed. */
export function ReportButton({
  name,
  calls,
  deposit,
}: {
  /** Whose calls they are. */
  readonly name: string
  /** What can be reported; of several the visitor chooses one. */
  readonly calls: readonly Reportable[]
  readonly deposit: DepositStep
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Report an error</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ReportDialog
            name={name}
            calls={calls}
            deposit={deposit}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
