import { onlyText } from '#domain/clean-text.ts'
/** What something that was thrown says. */
export function messageOf(error: unknown): string {
  return onlyText(error instanceof Error ? error.message : String(error))
}
