import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from './fold.ts'
import { listIndexWords, listNameWords } from './index-words.ts'
import { MAX_WORD } from './tokenize.ts'

describe('words of a text', () => {
  test.each([
    ['Clean a CSV', ['clean', 'a', 'csv']],
    ['csv-clean', ['csv', 'clean', 'csvclean']],
    ['csv_clean.py', ['csv', 'clean', 'py', 'csvcleanpy']],
    ['GitHub', ['github', 'git', 'hub']],
    ['fineTuning', ['finetuning', 'fine', 'tuning']],
    ['HTMLParser', ['htmlparser', 'html', 'parser']],
    ['APIs and LLMs', ['apis', 'and', 'llms']],
    ['auth0 k8s', ['auth0', 'k8s']],
    ["yesterday's meetings", ['yesterday', 'meetings']],
    ['don’t', ['dont']],
    ['Café Ångström Straße', ['cafe', 'angstrom', 'strasse']],
    ['ＦＵＬＬ ﬁle', ['full', 'file']],
    ['zero\u200bwidth', ['zerowidth']],
    ['C++, C# and .NET', ['cpp', 'csharp', 'and', 'dotnet']],
    ['飞书会议', ['飞书', '书会', '会议']],
    ['书', ['书']],
    ['カレンダー', ['カレ', 'レン', 'ンダ', 'ダー']],
    ['が', ['が']],
    ['회의록', ['회의', '의록']],
    ['飞书OKR管理', ['飞书', 'okr', '管理']],
    ['привет', ['привет']],
    ['!!! --- ...', []],
    ['🚀 👩‍💻', []],
    ['\ud800 \udfff', []],
    ['', []],
  ])('%j -> %j', (text, words) => expect(listIndexWords(text)).toEqual(words))

  test('a name is one compound however it is spaced', () => {
    expect(listNameWords(' CSV  Clean ')).toEqual(['csv', 'clean', 'csvclean'])
    expect(listNameWords('csv - clean')).toEqual(['csv', 'clean', 'csvclean'])
  })

  test('a text in ASCII has the words that it has beside another script', () => {
    const words = ['a', 'B', 'cSV', 'HTMLParser', '7', '.NET', 'c#', 'C++', 'word'.repeat(20)]
    const signs = ["'s", "'", '-', '.', '_', '/', '&', '#', '++', ' ', '\n', '\0', '~']
    const piece = fc.constantFrom(...words, ...signs)
    const text = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (ascii) => {
        expect([...listIndexWords(ascii), 'ж']).toEqual(listIndexWords(`${ascii} ж`))
      }),
      { numRuns: 2_000 },
    )
  })

  test('an endless word is cut', () => {
    expect(listIndexWords('a'.repeat(10_000))).toEqual(['a'.repeat(MAX_WORD)])
  })

  test.each(['a'.repeat(MAX_WORD - 1), `b-${'a'.repeat(MAX_WORD - 2)}`])(
    '%s and a letter of two units: cut before the letter',
    (start) => {
      const words = listIndexWords(`${start}\u{10400}`)
      expect(words).toContain(start.replace('-', ''))
      expect(words.filter((word) => !word.isWellFormed())).toEqual([])
    },
  )
})

describe('folding', () => {
  test.each([
    ['Résumé', 'Resume'],
    ['re\u0301sume\u0301', 'resume'],
    ['Ł ø æ', 'l o ae'],
    ['ｶﾞ', 'ガ'],
    ['한글', '한글'],
  ])('%j -> %j', (text, folded) => expect(foldText(text)).toBe(folded))
})
