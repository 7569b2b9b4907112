import { type LanguageDetector } from '#domain/posts/language.ts'

export async function loadDetector(): Promise<LanguageDetector> {
  const { eld } = await import('eld/extrasmall')
  return eld
}
