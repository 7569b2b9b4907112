import { useQuery } from '@tanstack/react-query'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { closeDialogs, openDialog, useDialogPlace } from '#web/address/dialog-place.ts'
import { predictionQuery } from '#web/api/queries.ts'
import { useSite } from '#web/head/site.ts'
import { useLast } from '#web/ui/hooks.ts'
import { later } from '#web/ui/still.tsx'
import { type VisibleRecord } from './use-record.ts'

const AssetPicker = later(
  async () => (await import('#web/public/shell/asset-picker.tsx')).AssetPicker,
)
const EvidenceDialog = later(
  async () => (await import('#web/public/predictions/evidence-dialog.tsx')).EvidenceDialog,
)

/** Prefix of the fragment for evidence: `#call-` and the id. */
const CALL = 'call-'

export function openEvidence(id: string): void {
  openDialog(CALL + encodeURIComponent(id))
}

export function Dialogs({
  record,
  mode,
  activeIds,
  onToggle,
}: {
  readonly record: VisibleRecord
  readonly mode: JudgeMode
  readonly activeIds: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}) {
  const { priced } = useSite()
  const place = useDialogPlace()
  const { row, whole } = useOpened(record, place)
  const opened = whole?.prediction ?? row
  const onClose = (): void => closeDialogs()
  return (
    <>
      {place === 'menu' && (
        <AssetPicker
          current={record.asset.key}
          priced={priced}
          onRefresh={record.refresh}
          onClose={onClose}
        />
      )}
      {opened && (
        <EvidenceDialog
          prediction={opened}
          whole={whole}
          mode={mode}
          isPast={record.past !== null}
          active={activeIds.has(opened.id)}
          onToggle={onToggle}
          onClose={onClose}
        />
      )}
    </>
  )
}

function useOpened({ part, asset, past }: VisibleRecord, place: string) {
  const isCall = place.startsWith(CALL)
  const id = isCall ? decoded(place.slice(CALL.length)) : ''
  const query = predictionQuery(id, past, part?.version ?? '')
  const found = useLast(useQuery({ ...query, enabled: isCall && part !== null }).data)
  const whole = found?.prediction.id === id && found.prediction.asset === asset.key ? found : null
  return { row: isCall ? part?.rows.find((one) => one.id === id) : undefined, whole }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
