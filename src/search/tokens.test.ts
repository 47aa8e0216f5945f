import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listFieldTerms } from './analyze.ts'
import { foldText, splitCompounds, stemWord } from './tokens.ts'

const MAX_WORD = 64

const listWords = (text: string, field: 'name' | 'description' = 'description'): string[] =>
  listFieldTerms(text, field, (word) => word)

describe('words of a text', () => {
  test.each([
    ['Clean a CSV', ['clean', 'a', 'csv']],
    ['csv-clean', ['csv', 'clean', 'csvclean']],
    ['GitHub', ['github', 'git', 'hub']],
    ['HTMLParser', ['htmlparser', 'html', 'parser']],
    ["yesterday's meetings", ['yesterday', 'meetings']],
    ['don’t', ['dont']],
    ['Café Ångström Straße', ['cafe', 'angstrom', 'strasse']],
    ['ＦＵＬＬ ﬁle', ['full', 'file']],
    ['zero\u200bwidth', ['zerowidth']],
    ['C++, C# and .NET', ['cpp', 'csharp', 'and', 'dotnet']],
    ['飞书会议', ['飞书', '书会', '会议']],
    ['书', ['书']],
    ['が', ['が']],
    ['飞书OKR管理', ['飞书', 'okr', '管理']],
    ['รายงาน', ['รา', 'าย', 'ยง', 'งา', 'าน']],
    ['ที่นี่ ๆ', ['ที่นี่', 'ๆ']],
    ['ใช้API', ['ใช้', 'api']],
    ['မြန်မာ။', ['မြန်', 'န်မာ']],
    ['か\u309aき', ['か\u309aき']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['דּוֹחַ בית־ספר', ['דוח', 'בית', 'ספר']],
    ['تَقْرِيرٌ', ['تقرير']],
    ['٢٠٢٦ و ۲۰۲۶', ['2026', 'و', '2026']],
    ['२०२६ ২০২৬ ２０２６ 𝟚𝟘𝟚𝟞 𑛚𑛣', ['2026', '2026', '2026', '2026', '09']],
    ['🚀 👩‍💻', []],
    ['\ud800 \udfff', []],
    ['', []],
  ])('%j -> %j', (text, words) => expect(listWords(text)).toEqual(words))

  test.each(['one two-three four', '一二三 four', 'ünë two fóur'])(
    '%s: splitting stops after the first word',
    (text) => {
      expect(splitCompounds(text, 1)).toEqual(splitCompounds(text.split(' ')[0]!))
    },
  )

  test('a name is one compound however it is spaced', () => {
    expect(listWords(' CSV  Clean ', 'name')).toEqual(['csv', 'clean', 'csvclean'])
    expect(listWords('csv - clean', 'name')).toEqual(['csv', 'clean', 'csvclean'])
  })

  test('an ASCII text has the same words when another script follows', () => {
    const words = ['a', 'B', 'cSV', 'HTMLParser', '7', '.NET', 'c#', 'C++', 'word'.repeat(20)]
    const separators = ["'s", "'", '-', '.', '_', '/', '&', '#', '++', ' ', '\n', '\0', '~']
    const piece = fc.constantFrom(...words, ...separators)
    const text = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (ascii) => {
        expect([...listWords(ascii), 'ж']).toEqual(listWords(`${ascii} ж`))
      }),
      { numRuns: 500 },
    )
  })

  test('a word of 10,000 letters is cut', () => {
    expect(listWords('a'.repeat(10_000))).toEqual(['a'.repeat(MAX_WORD)])
  })

  test.each(['a'.repeat(MAX_WORD - 1), `b-${'a'.repeat(MAX_WORD - 2)}`])(
    '%s and a letter of two UTF-16 units: cut before the letter',
    (start) => {
      const words = listWords(`${start}\u{10400}`)
      expect(words).toContain(start.replace('-', ''))
      expect(words.filter((word) => !word.isWellFormed())).toEqual([])
    },
  )
})

test.each([
  ['Persian and Arabic keyboards', 'گزارش کاری ی', 'گزارش كاري ي'],
  ['a Persian ezafe', 'خانۀ', 'خانه'],
  ['Bengali khanda ta', 'উৎস', 'উত্\u200Dস'],
  ['Malayalam chillu letters', 'അവൻ ൺ ർ ൽ ൾ ൿ', 'അവന്\u200D ണ് ര് ല് ള് ക്'],
  ['a Ukrainian apostrophe', 'комп’ютер', 'компʼютер'],
  ['Romanian', 'ședință', 'şedinţă'],
])('%s: both spellings have the same words', (_, one, other) => {
  expect(listWords(one)).toEqual(listWords(other))
})

// `normalize` alone would need minutes: its time is quadratic.
test('two million combining marks are folded', () => {
  expect(splitCompounds(`a${'\u0301\u0323'.repeat(1_000_000)}`)).toHaveLength(1)
})

test.each([
  ['re\u0301sume\u0301', 'resume'],
  ['ｶﾞ', 'ガ'],
  ['か\u3099', 'が'],
  ['كـتـاب', 'كتاب'],
  ['أحمد إلى آخر', 'احمد الي اخر'],
  ['مدرسة', 'مدرسه'],
  ['مؤسسة رئيس', 'مؤسسه رئيس'],
  ['\u0627\u064e\u0654', '\u0627'],
  ['ที่', 'ที่'],
])('folding: %j -> %j', (text, folded) => expect(foldText(text)).toBe(folded))

test.each([
  [['deploy', 'deploys', 'deployed', 'deploying', 'deployment']],
  [['migrate', 'migrates', 'migrating', 'migration', 'migrations']],
  [['optimise', 'optimize', 'optimising', 'optimization', 'optimisation']],
  [['analyse', 'analyze', 'analysis', 'analyses', 'analysing']],
  [['category', 'categories']],
  [['api', 'apis']],
  [['تقرير', 'التقرير', 'والتقرير', 'بالتقرير', 'كالتقرير', 'فالتقرير', 'للتقرير']],
])('words with the same stem: %j', (words) => expect(new Set(words.map(stemWord)).size).toBe(1))

test.each(['k8s', 'ios', '飞书', 'über', 'الم', 'وقت', 'รา'])(
  'words that are their own stem: %s',
  (word) => expect(stemWord(word)).toBe(word),
)
