/** A language that is recognized by its letters alone. */
export type Language = 'ko' | 'ja' | 'zh'

const EAST_ASIAN =
  /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff66-\uff9f]/

const HANGUL = /\p{Script=Hangul}/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN = /\p{Script=Han}/gu
const LETTER = /\p{L}/gu

/** One such letter says what three of others do, and a technical text names much in English. */
const SHARE = 0.1

/** Letters of a text that are counted: its beginning shows the language. */
const SAMPLE_LENGTH = 20_000

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0

/**
 * The language of a text where its script decides: Korean by Hangul, Japanese by kana, else Chinese by Han. A text that
 * only quotes some has none.
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
