import { type Sentence } from './plain.ts'

/** "If it is not at 150k by May I eat my hat": said as a condition, meant as a promise that it will be. */
const VOW =
  /^(?<lead>[^\p{L}]{0,20}(?:and |but |so )?if )(?<claim>[^.;!?\n]{0,60}?)\b(?<not>(?:does|is|are|has|do)(?:n't| not)|fails to)(?<rest>\b[^.;!?\n]{0,90}?\b(?:i'll|i will|i'm going to|i am going to|i promise to|i swear to|i)\s+(?:\w+\s+){0,2}?(?:eat|shave|delete|tattoo|resign|quit|deactivate|run naked|donate|give|pay|send|dye|wear|jump)\b)/iu

/**
 * A promise of that kind with its condition and its denial blotted out: what is left says what the author expects.
 * Each character keeps its place.
 */
export function withoutVow(
  plain: string,
  sentence: Sentence,
): { plain: string; sentence: Sentence } {
  const { lead, claim, not, rest } = VOW.exec(sentence.text)?.groups ?? {}
  if (lead === undefined || claim === undefined || not === undefined) return { plain, sentence }
  const said = `${blotted(lead)}${claim}${blotted(not)}${rest ?? ''}`
  const text = said + sentence.text.slice(said.length)
  return {
    plain: plain.slice(0, sentence.start) + text + plain.slice(sentence.start + text.length),
    sentence: { ...sentence, text },
  }
}

function blotted(words: string): string {
  return words.replace(/\S/g, '_')
}
