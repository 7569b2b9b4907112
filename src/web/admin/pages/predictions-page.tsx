import { useTitle } from '#web/admin/use-title.ts'
import { RecordView } from '#web/features/records-admin/record-view.tsx'
import { RecordsList } from '#web/features/records-admin/records-list.tsx'
import css from '#web/ui/desk.module.css'
import { useParams } from '#web/ui/use-params.ts'

/** What is published: found, looked at, corrected. */
export function PredictionsPage() {
  const [param, change] = useParams()
  const id = param('open')
  useTitle('Predictions')
  return (
    <div className={css.page}>
      <h1 className={css.title}>Predictions</h1>
      {id === '' ? (
        <RecordsList onOpen={(open) => change({ open })} />
      ) : (
        <RecordView key={id} id={id} onBack={() => change({ open: null })} />
      )}
    </div>
  )
}
