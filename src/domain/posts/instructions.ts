import { type Span, plainPost, sentencesOf } from './plain.ts'

/** Words addressed to the machine that reads the post, not to people. */
const TO_A_MACHINE: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|guidelines|(?:your|the|all) rules|(?:all|everything|anything) (?:of the )?(?:above|before|prior|previous))\b/i,
  /\b(?:system|developer|assistant|user|hidden) ?(?:prompt|message|instructions?|note|override)\b/i,
  /(?:^|[\n\]}>])\s*(?:#+\s*)?(?:(?:ai|ia|ki|ии)[ -])?(?:system|assistant|developer|instructions?|système|sistema?|asistente|assistente|asystent|asistan|asisten|система|ассистент|系统|系統|システム|시스템|助手|アシスタント|어시스턴트|النظام|المساعد)(?: ?\p{L}{1,12})?\s*[:>]/imu,
  /\b(?:you are|you're|act as|pretend to be) (?:now )?(?:an? |the )?(?:\w+ ){0,2}(?:ai|a\.i\.|llm|language model|chat ?bot|assistant|gpt|grok|parser|extractor)\b/i,
  /\b(?:ai|llm|bot|grok|gpt|model|assistant|parser|extractor)s?\b[^.!?\n]{0,24}\b(?:must|should|please|shall|has to|are to)\b[^.!?\n]{0,24}\b(?:set|output|return|answer|reply|respond|report|extract|record|mark|write|say|give)\b/i,
  /\b(?:output|return|respond|reply|answer)\b[^.!?\n]{0,20}\b(?:json|only|with|exactly|this|the following)\b/i,
  /\b(?:set|record|mark|report|fill|extract)\b[^.!?\n]{0,40}\b(?:confidence|field|has[_ ]prediction|verified|prediction[_ ]type|asset[_ ]type|price_(?:target|min|max)|target[_ ]time)\b/i,
  /^[^\p{L}]*(?:please |now |also |then |and )*(?:set|record|mark|report|fill|extract)\b[^.!?\n]{0,40}\bprice (?:target|min|max)\b/iu,
  /\b(?:has_prediction|price_target|price_min|price_max|target_time|prediction_type|asset_type|verification_status|tweet_proposals|expert_name)\b/i,
  /<\/?(?:system|instructions?|post|prompt|assistant|user)[^>\n]{0,40}>|\[\/?(?:inst|system)\]|<\|[a-z_]{2,20}\|>/i,
]

/** Equivalents in other languages, a verb and its object: a sentence with both addresses a machine. */
const ORDERS =
  /ignor|registra|inscri[st]|enregistre|speicher|zapisz|kaydet|catat|запиши|запишите|记录|記錄|記録|기록|سجل|اكتب|vergiss|vergesst|vergessen|missacht|verwirf|übergeh|ausgeben|\bgib\b|antworte|trage? ein|olvid|responde|devuelve|establece|desconsider|esqueç|esquec|retorn|oubli|répond|renvoi|dimentica|rispondi|restituisci|zignoruj|zapomnij|odpowiedz|zwróć|görmezden|unut|yanıtla|döndür|abaikan|lupakan|jawab|keluarkan|игнорир|забудь|забыть|ответь|отвечай|выведи|верни|忽略|忘记|忘記|无视|無視|输出|輸出|回答|返回|回复|無視|忘れ|出力|答え|返して|무시|잊어|출력|답변|응답|تجاهل|انس|أجب|أخرج|अनदेखा|भूल|जवाब|bỏ qua|เพิกเฉย/iu
const ORDERED =
  /anweisung|instruktion|vorgaben|eingabeaufforderung|prompt|sprachmodell|\bki\b|instruccion|indicacion|modelo de lenguaje|asistente|instruç|instruções|comandos anteriores|assistente|instruction|consigne|modèle de langage|istruzioni|modello linguistico|polece|instrukcj|model językowy|talimat|yönerge|dil modeli|instruksi|perintah|model bahasa|инструкц|указани|промпт|нейросет|языков\p{L}* модел|指令|指示|提示词|提示詞|人工智能|语言模型|語言模型|言語モデル|プロンプト|지시|명령|프롬프트|언어 모델|تعليمات|الأوامر|نموذج|निर्देश|has[ _]prediction|confidence|json|hướng dẫn|คำสั่ง/iu

/** Invisible text: comments, and styled or non-text elements. */
const HIDDEN =
  /<[!?]|\{#|<(?:script|style|template|meta|noscript|title|textarea|details|svg|iframe|object)\b|<[a-z][^<>]{0,200}?\s(?:(?:aria-)?hidden\b|(?:style|class|id|color|size)\s*=)|\[(?:\/\/|comment)\]: ?[#<(]/i
/** More invisible characters than any emoji has, or direction overrides. */
const UNSEEN = /\p{DI}{8}|[\u202D\u202E]/u

/**
 * The part of a post that addresses a machine: from the first such sentence, or hidden text, to the end of the post,
 * which is ignored even if quoted exactly.
 *
 * @returns null if the post addresses people only
 */
export function instructionsIn(text: string): Span | null {
  const { plain, starts } = plainPost(text)
  const hidden = HIDDEN.exec(plain)?.index ?? plain.length
  const instruction = sentencesOf(plain).find((one) => {
    // A bracket or line break before the sentence may belong to the instruction.
    const lead = plain.slice(Math.max(0, one.start - 12), one.start)
    if (ORDERS.test(one.text) && ORDERED.test(one.text)) return true
    return TO_A_MACHINE.some((pattern) => pattern.test(one.text) || pattern.test(lead + one.text))
  })
  const unseen = UNSEEN.exec(text)?.index ?? text.length
  const at = Math.min(hidden, instruction?.start ?? plain.length)
  const start = Math.min(unseen, starts[at] ?? text.length)
  return start < text.length ? { start, end: text.length } : null
}
