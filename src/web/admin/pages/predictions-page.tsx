import { readReportNumber } from '#contracts/reports-log.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { RecordView } from '#web/admin/records/record-view.tsx'
import { RecordsList } from '#web/admin/records/records-list.tsx'
import { useParams } from '#web/ui/use-params.ts'

/** What is published: the list, and one prediction to check and correct. */
export function PredictionsPage() {
  const [param, change] = useParams()
  const id = param('open')
  return (
    <AdminPage title="Predictions">
      {id === '' ? (
        <RecordsList onOpen={(open) => change({ open })} />
      ) : (
        <RecordView
          key={id}
          id={id}
          report={readReportNumber(param('report'))}
          onBack={() => change({ open: null, report: null })}
        />
      )}
    </AdminPage>
  )
}
