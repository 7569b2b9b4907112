import { useTitle } from '#web/admin/use-title.ts'
import { ExpertView } from '#web/admin/experts/expert-view.tsx'
import { ExpertsList } from '#web/admin/experts/experts-list.tsx'
import css from '#web/ui/admin-page.module.css'
import { useParams } from '#web/ui/use-params.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The people and firms on record. */
export function ExpertsPage() {
  const [param, change] = useParams()
  const [id, into] = [numberOf(param('open')), numberOf(param('into'))]
  useTitle('People')
  return (
    <Stack gap={4} className={css.page}>
      <Text as="h1" size="title">
        People and firms
      </Text>
      {id === null ? (
        <ExpertsList onOpen={(open, with_) => change({ open, into: with_ ?? null })} />
      ) : (
        <ExpertView
          key={id}
          id={id}
          into={into}
          onBack={() => change({ open: null, into: null })}
          onOpen={(open) => change({ open, into: null })}
        />
      )}
    </Stack>
  )
}

function numberOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
