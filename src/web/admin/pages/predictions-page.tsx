import { useTitle } from '#web/admin/use-title.ts'
import { RecordView } from '#web/admin/records/record-view.tsx'
import { RecordsList } from '#web/admin/records/records-list.tsx'
import css from '#web/ui/admin-page.module.css'
import { useParams } from '#web/ui/use-params.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** What is published: found, looked at, corrected. */
export function PredictionsPage() {
  const [param, change] = useParams()
  const id = param('open')
  useTitle('Predictions')
  return (
    <Stack gap={4} className={css.page}>
      <Text as="h1" size="title">
        Predictions
      </Text>
      {id === '' ? (
        <RecordsList onOpen={(open) => change({ open })} />
      ) : (
        <RecordView key={id} id={id} onBack={() => change({ open: null })} />
      )}
    </Stack>
  )
}
