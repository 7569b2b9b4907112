import { type Sentence } from './plain.ts'

/** "If it is not at 150k by May I eat my hat": phrased as a condition, meant as a promise. */
const VOW =
  /^(?<lead>[^\p{L}]{0,20}(?:and |but |so )?if )(?<claim>[^.;!?\n]{0,60}?)\b(?<not>(?:does|is|are|has|do)(?:n't| not)|fails to)(?<rest>\b[^.;!?\n]{0,90}?\b(?:i'll|i will|i'm going to|i am going to|i promise to|i swear to|i)\s+(?:\w+\s+){0,2}?(?:eat|shave|delete|tattoo|resign|quit|deactivate|run naked|donate|give|pay|send|dye|wear|jump)\b)/iu

/** "Everyone who says 150k is impossible will be in shock": the author contradicts them, and so predicts it. */
const CONTRADICTED =
  /^(?<lead>[^\p{L}]{0,20}(?:and |but |so |to |for )?(?:everyone|everybody|anyone|anybody|those|people|all (?:of you|those|you|the people)|all|(?:the )?(?:bears|haters|doubters|skeptics|critics))(?: (?:who|that|still|currently|is|are|who's|who are|who is))* (?:say|claim|think|believ|call|tell|scream|insist)\w*(?: (?:me|us|that))*)(?<claim> (?:[^.;!?\n]|\.\d){0,60}?)\b(?<not>(?:(?:is|are|as|was|would be|looks|seems) )?(?:impossible|crazy|insane|not possible|unrealistic|(?:won't|will not|will never|can't|cannot|never) (?:ever )?happen(?:s|ing)?|not happening))(?<rest>\b(?:[^.;!?\n]|\.\d){0,30}?\b(?:will|are going to|is going to|are gonna|are in for|is in for|you'll|you're going to)\b(?:[^.;!?\n]|\.\d){0,24}?\b(?:shock\w*|surpris\w*|wrong|regret\w*|stunned|humbled|speechless)\b)/iu

/**
 * Such a promise or contradiction with its condition and its denial replaced with `_`: what is left says what the author
 * expects. Each character keeps its place.
 */
export function withoutVow(
  plain: string,
  sentence: Sentence,
): { plain: string; sentence: Sentence } {
  const found = VOW.exec(sentence.text) ?? CONTRADICTED.exec(sentence.text)
  const { lead, claim, not, rest } = found?.groups ?? {}
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
