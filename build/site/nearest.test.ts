import { describe, expect, test } from 'vitest'
import { decodeWords, encodeWords } from './nearest-words.ts'
import type { SkillVector } from './nearest-words.ts'
import { WordIndex } from './nearest.ts'
import type { Neighbours } from './nearest.ts'

type Told = Parameters<typeof encodeWords>[0]

interface Named extends SkillVector {
  name: string
}

let ids = 0
const make = (
  author: string,
  name: string,
  description: string,
  { text = '', ...more }: Partial<Told> & { text?: string } = {},
): Named => {
  ids += 1
  return {
    id: ids,
    name,
    ...decodeWords(encodeWords({ slug: name, name, author, description, ...more }, text)),
    isCompared: true,
  }
}

/** Skills of other authors with other words, so that shared words are rare; two skills have each word. */
const STRANGERS = Array.from({ length: 40 }, (_, at) =>
  make(
    `author${at}`,
    `stranger${at}`,
    `Odd${at} odd${(at + 1) % 40} pair${at >> 1} pair${((at * 7) % 20) | 0}b, part${at % 20}.`,
  ),
)

/** Words of the skills above; they lower the similarity to all others. */
const odd = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => `odd${(from + at * 2) % 40}`).join(' ')

const near = (skill: Named, others: readonly Named[], most = 4) => {
  const skills = [...STRANGERS, skill, ...others]
  const { alternatives, together } = new WordIndex(skills).findNeighbours(STRANGERS.length, most)
  const namesOf = (found: Neighbours['together']): string[] =>
    found.map((id) => skills.find((one) => one.id === id)!.name)
  return { alternatives: namesOf(alternatives), together: namesOf(together) }
}

const MINUTES = make(
  'ann',
  'meeting-minutes',
  'Writes minutes of a meeting: decisions, owners, dates.',
)
const SUMMARY = make(
  'bob',
  'summarize-meeting',
  'Turns a meeting into minutes with decisions, owners and dates.',
)

describe('an alternative', () => {
  test('similar, by another author, and has the words of the other’s name -> alternative', () => {
    expect(near(MINUTES, [SUMMARY]).alternatives).toEqual(['summarize-meeting'])
    expect(near(SUMMARY, [MINUTES]).alternatives).toEqual(['meeting-minutes'])
  })

  test('similar, but the other lacks the words of its name -> goes together', () => {
    const told = `Minutes and dates of a meeting, ${odd(20)} ${odd(17, 1)}.`
    const agenda = make('bob', 'calendar-agenda', told)
    expect(near(MINUTES, [agenda])).toEqual({ alternatives: [], together: ['calendar-agenda'] })
    const notes = make('bob', 'meeting-minutes-of-dates', told)
    expect(near(MINUTES, [notes]).alternatives).toEqual(['meeting-minutes-of-dates'])
  })

  test('two of a series by one author -> go together', () => {
    const told = 'Takes minutes of a meeting, with decisions, owners and dates.'
    const series = (name: string) => near(MINUTES, [make('ann', name, told)])
    for (const name of ['meeting-dates', 'plan-meeting', 'minutes-of-a-long-meeting'])
      expect(series(name)).toEqual({ alternatives: [], together: [name] })
    expect(series('protocol-keeper').alternatives).toEqual(['protocol-keeper'])
  })

  test('in a product family whose name the other lacks -> goes together', () => {
    const told = 'Adds login to router pages of a server, with sessions.'
    const plain = make('ann', 'login-router', told)
    const family = ['login', 'mail', 'logs'].map((kind) =>
      make('zed', `zedcloud-${kind}`, kind === 'login' ? `${told} Zedcloud.` : `Sends ${kind}.`),
    )
    expect(near(plain, family.slice(0, 2)).alternatives).toEqual(['zedcloud-login'])
    expect(near(plain, family)).toEqual({ alternatives: [], together: ['zedcloud-login'] })
  })

  test('same name, another author -> a low similarity is enough', () => {
    const one = make('ann', 'skill-creator', 'Creates skills, then runs evaluations, benchmarks.')
    const told = `Guide for effective skills with evaluations or tools, ${odd(16)}.`
    expect(near(one, [make('bob', 'skill-creator', told)]).alternatives).toEqual(['skill-creator'])
    expect(near(one, [make('bob', 'guide', told)]).alternatives).toEqual([])
  })

  test('recommended by a description for another task -> alternatives of each other', () => {
    const latex = make('ann', 'latex-posters', 'Typesets posters.')
    const send = (name: string, how: string) => {
      const one = make('ann', name, `Posters as slides, ${odd(6)}. For print, ${how}.`)
      return [near(one, [latex]).alternatives, near(latex, [one]).alternatives].flat()
    }
    expect(send('slides', 'use latex-posters')).toEqual(['latex-posters', 'slides'])
    expect(send('slides', 'see latex-posters')).toEqual([])
    // Within a series, only a preferred skill is an alternative.
    expect(send('pptx-posters', 'use latex-posters')).toEqual([])
    const both = ['latex-posters', 'pptx-posters']
    expect(send('pptx-posters', 'use latex-posters instead')).toEqual(both)
    const tables = make('ann', 'tables', `Tables as text, ${odd(6)}. Use python instead.`)
    expect(near(tables, [make('bob', 'python', `Snakes, ${odd(12, 1)}.`)]).alternatives).toEqual([])
  })

  test('each further alternative needs a higher score', () => {
    const more = Array.from({ length: 3 }, (_, at) =>
      make(`by${at}`, `minutes${at}`, `Minutes and dates of a meeting, ${odd(8, at)}.`),
    )
    expect(near(MINUTES, more).alternatives).toHaveLength(2)
    for (const one of more) expect(near(MINUTES, [one]).alternatives).toEqual([one.name])
  })
})

describe('what goes together', () => {
  test('a description that names another of its author', () => {
    const mails = make('ann', 'mail-series', 'Plans a series. For copy, see ad-copy.')
    const copy = make('ann', 'ad-copy', 'Writes short texts.')
    expect(near(mails, [copy]).together).toEqual(['ad-copy'])
    expect(near(copy, [mails]).together).toEqual(['mail-series'])
    expect(near(mails, [make('bob', 'ad-copy', 'Writes short texts.')]).together).toEqual([])
  })

  test('a text that names another of its author, marked or by its path', () => {
    const copy = make('ann', 'ads', 'Writes short texts.')
    const other = make('ann', 'ad-copy', 'Translates.')
    const read = (text: string) =>
      near(make('ann', 'mail-series', 'Plans a series.', { text }), [copy, other]).together
    expect(read('First `ad-copy`, then the `ads` field.')).toEqual(['ad-copy'])
    expect(read('## Related\n\n- **ads**: for the campaign\n')).toEqual(['ads'])
    expect(read('Read [it](../ads/SKILL.md), then use the "ad-copy" skill.')).toEqual([
      'ads',
      'ad-copy',
    ])
    expect(read('Ads and ad-copy.')).toEqual([])
  })

  test('words in headings count, words in code do not', () => {
    const one = make('ann', 'mail', 'Reads.', { text: '\n# Inbox rules\n\n## Filters, labels' })
    const other = make('bob', 'post', 'Sends.', { text: '\n# Inbox rules\n\n### Filters, labels' })
    expect(near(one, [other]).alternatives).toEqual(['post'])
    const code = make('bob', 'post', 'Sends.', {
      text: '\n```sh\n# Inbox rules\n# Filters, labels\n```\n',
    })
    expect(near(one, [code])).toEqual({ alternatives: [], together: [] })
  })

  test('names by one author with the same first word, and a rare word in common', () => {
    const one = make('ann', 'lark-mail', 'Reads inboxes of the suite.')
    const other = make('ann', 'lark-sheets', 'Fills cells of the suite.')
    expect(near(one, [other]).together).toEqual(['lark-sheets'])
    expect(near(one, [make('ann', 'sheets', 'Fills cells.')]).together).toEqual([])
  })
})

describe('the nearest', () => {
  test('nothing in common -> no neighbours; never its own neighbour', () => {
    expect(near(MINUTES, [])).toEqual({ alternatives: [], together: [] })
  })

  test('nearest first, up to the limit', () => {
    const further = make('cleo', 'meeting-notes', 'Notes of a meeting: decisions; and minutes.')
    expect(near(MINUTES, [further, SUMMARY]).alternatives).toEqual([
      'summarize-meeting',
      'meeting-notes',
    ])
    expect(near(MINUTES, [further, SUMMARY], 1).alternatives).toEqual(['summarize-meeting'])
  })

  test('a skill that is not compared has neighbours but is nobody’s', () => {
    const copy = { ...SUMMARY, isCompared: false }
    expect(near(copy, [MINUTES]).alternatives).toEqual(['meeting-minutes'])
    expect(near(MINUTES, [copy]).alternatives).toEqual([])
  })

  test('ignores words that more than 200 skills share', () => {
    const told = 'servers protocols contexts builders routes'
    const common = (count: number): Named[] =>
      Array.from({ length: count }, (_, at) => make('ann', `big-${at}`, told))
    const many = Array.from({ length: 4_000 }, (_, at) => make(`by${at}`, `x${at}`, `y${at}`))
    const one = make('ann', 'big-one', told)
    expect(near(one, [...many, ...common(199)]).together).toHaveLength(4)
    expect(near(one, [...many, ...common(200)]).together).toEqual([])
  })

  test('compares texts without spaces', () => {
    const one = make('ann', '会议纪要', '整理会议纪要并生成报告。')
    const other = make('bob', '会议纪要助手', '生成会议纪要报告，整理会议纪要助手。')
    expect(near(one, [other]).alternatives).toEqual(['会议纪要助手'])
  })
})
