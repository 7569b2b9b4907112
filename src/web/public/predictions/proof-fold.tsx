import { lazy, Suspense, useState } from 'react'
import { Fold } from '#web/ui/fold.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stack } from '#web/ui/stack.tsx'
import css from './signed-record.module.css'

const Proofs = lazy(async () => ({ default: (await import('./proofs.tsx')).Proofs }))

/** What proves when the entry and its verdicts were on record; its code is loaded when somebody opens it. */
export function ProofFold({ id }: { readonly id: string }) {
  const [isOpened, setOpened] = useState(false)
  return (
    <Stack as="section" className={css.record}>
      <Fold title="Proof in Bitcoin" onOpen={() => setOpened(true)}>
        {isOpened ? (
          <Suspense fallback={<Skeleton shape="card" label="Loading the proofs" />}>
            <Proofs id={id} />
          </Suspense>
        ) : (
          <p>
            How far the proofs are, and their files:{' '}
            <a href={`/api/v1/record/${encodeURIComponent(id)}/proofs`}>as JSON</a>.
          </p>
        )}
      </Fold>
    </Stack>
  )
}
