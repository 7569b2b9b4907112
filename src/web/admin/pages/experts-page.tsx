import { AdminPage } from '#web/admin/admin-page.tsx'
import { ExpertView } from '#web/admin/experts/expert-view.tsx'
import { ExpertsList } from '#web/admin/experts/experts-list.tsx'
import { useParams } from '#web/ui/use-params.ts'

/** The people and firms on record. */
export function ExpertsPage() {
  const [param, change] = useParams()
  const [id, into] = [numberOf(param('open')), numberOf(param('into'))]
  return (
    <AdminPage title="People and firms">
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
    </AdminPage>
  )
}

function numberOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
