import {
  lazy,
  Suspense,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react'

/** A component whose code is loaded when it is first drawn. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }))
}

/** Parts the server still has to load before rendering; see {@link stillPartsReady}. */
const loading: Promise<unknown>[] = []

/** Waits until every still part can be drawn at once, as the server has to. Await it once, after loading the pages. */
export async function stillPartsReady(): Promise<void> {
  await Promise.all(loading)
}

/**
 * A part of a page that never changes once it is drawn. The server draws it and the browser leaves that drawing alone,
 * without loading its code: only a page reached without the server does. Links in it work, everything else that needs
 * a handler does not.
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
    const isFromServer = useIsHydrating()
    // React's types do not follow the rest of a generic: what is left are the component's own props.
    const props = rest as Props & object
    if (isFromServer && !import.meta.env.SSR) {
      return (
        <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING} />
      )
    }
    return (
      <div className={className}>
        {Here ? (
          <Here {...props} />
        ) : (
          <Suspense fallback={null}>
            <Later {...props} />
          </Suspense>
        )}
      </div>
    )
  }
}

/** React keeps what the server drew where the browser has nothing of its own to put there. */
const NOTHING = { __html: '' }

/** Whether the component was hydrated from markup of the server; this never changes. */
function useIsHydrating(): boolean {
  const now = useSyncExternalStore(
    () => () => undefined,
    () => false,
    () => true,
  )
  return useState(now)[0]
}
