import { Button } from '#web/ui/button.tsx'
import { Prose } from '#web/ui/prose.tsx'

export function UnavailablePage() {
  return (
    <Prose
      title="Temporarily unavailable"
      lead="The site cannot read its data right now. Nothing is lost."
    >
      <p>
        <Button look="primary" onClick={() => window.location.reload()}>
          Try again
        </Button>
      </p>
    </Prose>
  )
}
