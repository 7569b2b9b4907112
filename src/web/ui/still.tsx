import {
  lazy,
  Suspense,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react'

/**
 * A part of a page that never changes once it is drawn. The server draws it and the browser leaves that drawing alone,
 * without loading its code: only a page reached without the server does. Links in it work, everything else that needs
 * a handler does not.
 *
 * @param here the component on the server; null in the browser, so that its code stays out of the bundle. Write
 *   `import.meta.env.SSR ? Component : null`
 * @param load the same component for the browser
 */
export function still<Props extends object>(
  here: ComponentType<Props> | null,
  load: () => Promise<ComponentType<Props>>,
): (props: Props & { readonly className?: string | undefined }) => ReactNode {
  const Drawn = here ?? lazy(async () => ({ default: await load() }))
  return function Still({ className, ...rest }) {
    const isFromServer = useIsHydrating()
    // React's types do not follow a rest of a generic: what is left are the component's own props.
    const props = rest as Props & object
    return isFromServer && !here ? (
      <div className={className} suppressHydrationWarning dangerouslySetInnerHTML={NOTHING} />
    ) : (
      <div className={className}>
        <Suspense fallback={null}>
          <Drawn {...props} />
        </Suspense>
      </div>
    )
  }
}

/** React keeps what the server drew where the browser has nothing of its own to put there. */
const NOTHING = { __html: '' }

/** Whether the component came to life on markup of the server; the answer stays. */
function useIsHydrating(): boolean {
  const now = useSyncExternalStore(
    () => () => undefined,
    () => false,
    () => true,
  )
  return useState(now)[0]
}
