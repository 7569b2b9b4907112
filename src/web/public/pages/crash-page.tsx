import { Component, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Prose } from '#web/ui/prose.tsx'

type Props = {
  readonly children: ReactNode
  /** Shown instead; a page of its own unless given. */
  readonly fallback?: ReactNode
}

/** Shows a page of its own when something within breaks, instead of nothing at all. React asks for a class here. */
export class CrashBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { children, fallback = <CrashPage /> } = this.props
    return this.state.failed ? fallback : children
  }
}

function CrashPage() {
  return (
    <Prose
      title="This page broke"
      lead="That is our fault, not yours. Loading it again often helps."
    >
      <p role="alert">
        <Button look="primary" onClick={() => window.location.reload()}>
          Load it again
        </Button>
      </p>
      <p>
        Or go back to the <a href="/">start page</a>.
      </p>
    </Prose>
  )
}
