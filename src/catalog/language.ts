/** A language that can be recognized from its letters alone. */
export type Language = keyof typeof LANGUAGE_NAMES

export const LANGUAGE_NAMES = { ko: 'Korean', ja: 'Japanese', zh: 'Chinese' } as const

const EAST_ASIAN =
  /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uff9f]/

const HANGUL = /\p{Script=Hangul}/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN = /\p{Script=Han}/gu
const LETTER = /\p{L}/gu

/**
 * Minimum share of East Asian letters in a text of these languages. It is low because one such letter says as much as
 * about three Latin letters, and technical texts contain many English names.
 */
const SHARE = 0.1

/** Characters of a text that are examined: the beginning is enough to detect the language. */
const SAMPLE_LENGTH = 20_000

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0

/**
 * Detects Korean by Hangul, Japanese by kana, and otherwise Chinese by Han. Returns undefined for other texts, even if
 * they quote such letters.
 */
export const detectLanguage = (text: string): Language | undefined => {
  // Nearly all texts end here.
  if (!EAST_ASIAN.test(text)) return undefined
  const sample = text.slice(0, SAMPLE_LENGTH)
  const [hangul, kana, han] = [count(sample, HANGUL), count(sample, KANA), count(sample, HAN)]
  const all = hangul + kana + han
  if (all < SHARE * count(sample, LETTER)) return undefined
  if (hangul > all / 2) return 'ko'
  return kana > SHARE * all ? 'ja' : 'zh'
}
