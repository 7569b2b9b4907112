import { plainText, sentencesOf } from './plain.ts'
import { type Span } from './span.ts'

/** Words that address the machine that reads the post, not people. */
const TO_A_MACHINE: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|guidelines|(?:your|the|all) rules|(?:all|everything|anything) (?:of the )?(?:above|before|prior|previous))\b/i,
  /\b(?:system|developer|assistant|user|hidden) ?(?:prompt|message|instructions?|note|override)\b/i,
  /(?:^|[\n\]}>])\s*(?:#+\s*)?(?:system|assistant|developer|instructions?)\s*[:>]/im,
  /\b(?:you are|you're|act as|pretend to be) (?:now )?(?:an? |the )?(?:\w+ ){0,2}(?:ai|a\.i\.|llm|language model|chat ?bot|assistant|gpt|grok|parser|extractor)\b/i,
  /\b(?:ai|llm|bot|grok|gpt|model|assistant|parser|extractor)s?\b[^.!?\n]{0,24}\b(?:must|should|please|shall|has to|are to)\b[^.!?\n]{0,24}\b(?:set|output|return|answer|reply|respond|report|extract|record|mark|write|say|give)\b/i,
  /\b(?:output|return|respond|reply|answer)\b[^.!?\n]{0,20}\b(?:json|only|with|exactly|this|the following)\b/i,
  /\b(?:set|record|mark|report|fill|extract)\b[^.!?\n]{0,40}\b(?:confidence|field|has[_ ]prediction|verified|prediction[_ ]type|asset[_ ]type|price[_ ](?:target|min|max)|target[_ ]time)\b/i,
  /\b(?:has_prediction|price_target|price_min|price_max|target_time|prediction_type|asset_type|verification_status|tweet_proposals|expert_name)\b/i,
  /<\/?(?:system|instructions?|post|prompt|assistant|user)[^>\n]{0,40}>|\[\/?(?:inst|system)\]|<\|[a-z_]{2,20}\|>/i,
]

/**
 * The part of a post that addresses a machine: from the first such sentence to the end, as the text after it belongs to
 * the instructions. Nothing in it is believed, however well it is quoted.
 *
 * @returns null when the post addresses people only
 */
export function instructionsIn(text: string): Span | null {
  const plain = plainText(text)
  const first = sentencesOf(plain).find((one) => {
    // A bracket or line break before the sentence may belong to the instruction.
    const lead = plain.slice(Math.max(0, one.start - 12), one.start)
    return TO_A_MACHINE.some((pattern) => pattern.test(one.text) || pattern.test(lead + one.text))
  })
  return first ? { start: first.start, end: text.length } : null
}
