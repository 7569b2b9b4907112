import { useSearchParams } from 'wouter'

/** Screen state stored in the URL, surviving reloads and Back. Empty values are omitted. */
export function useParams(): readonly [
  (name: string) => string,
  (changed: Readonly<Record<string, string | number | null>>, how?: 'replace') => void,
] {
  const [params, setParams] = useSearchParams()
  return [
    (name) => (params.get(name) ?? '').slice(0, 300),
    (changed, how) => {
      setParams(
        (now) => {
          const next = new URLSearchParams(now)
          for (const [name, value] of Object.entries(changed)) {
            if (value === null || value === '') next.delete(name)
            else next.set(name, String(value))
          }
          return next
        },
        { replace: how === 'replace' },
      )
    },
  ]
}

/** Parses a page number, starting at 1. */
export function pageOf(text: string): number {
  const page = Number(text)
  return Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1
}
