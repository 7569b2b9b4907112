import { useTitle } from '#web/admin/use-title.ts'
import { ExpertView } from '#web/features/experts-admin/expert-view.tsx'
import { ExpertsList } from '#web/features/experts-admin/experts-list.tsx'
import css from '#web/ui/desk.module.css'
import { useParams } from '#web/ui/use-params.ts'

/** The people and firms on record. */
export function ExpertsPage() {
  const [param, change] = useParams()
  const [id, into] = [numberOf(param('open')), numberOf(param('into'))]
  useTitle('People')
  return (
    <div className={css.page}>
      <h1 className={css.title}>People and firms</h1>
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
    </div>
  )
}

function numberOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
