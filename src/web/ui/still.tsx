import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { useOfBrowser } from './hooks.ts'
import { NOTHING } from './layout.tsx'

/** A component whose code is loaded on first render; the fallback is shown meanwhile. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
) {
  const Here = lazy(async () => ({ default: await load() }))
  return function Later(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Here {...props} />
      </Suspense>
    )
  }
}

/** Parts that the server must load before rendering; see {@link stillPartsReady}. */
const loading: Promise<unknown>[] = []

/** Waits until all still parts can be rendered synchronously on the server. Await it once, after loading the pages. */
export async function stillPartsReady(): Promise<void> {
  await Promise.all(loading)
}

/**
 * A static part of a page. The server renders it, and the browser keeps that markup without loading its code, except
 * after client-side navigation. Links in it work, event handlers do not.
 */
export function still<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props & { readonly className?: string | undefined }) => ReactNode {
  let Here: ComponentType<Props> | null = null
  if (import.meta.env.SSR) {
    loading.push(
      load().then((component) => {
        Here = component
      }),
    )
  }
  const Later = later(load)
  return function Still({ className, ...rest }) {
    const isHydrating = useOfBrowser(
      () => false,
      () => true,
    )
    // As it was at first.
    const [isFromServer] = useState(isHydrating)
    // TypeScript cannot infer the rest of a generic: what remains are the component's own props.
    const props = rest as Props & object
    if (isFromServer && !import.meta.env.SSR) {
      return (
        <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING} />
      )
    }
    return <div className={className}>{Here ? <Here {...props} /> : <Later {...props} />}</div>
  }
}
