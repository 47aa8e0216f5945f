import { describe, expect, test } from 'vitest'
import { WordIndex, decodeWords, encodeWords } from './nearest.ts'
import type { Neighbours, Reader } from './nearest.ts'

type Told = Parameters<typeof encodeWords>[0]

interface Named extends Reader {
  name: string
}

let ids = 0
const make = (
  author: string,
  name: string,
  description: string,
  more: Partial<Told> = {},
): Named => {
  ids += 1
  return {
    id: ids,
    name,
    ...decodeWords(encodeWords({ slug: name, name, author, description, ...more })),
    isCompared: true,
  }
}

/** Skills of other authors with words of their own, so that the words of the others are rare. */
const STRANGERS = Array.from({ length: 40 }, (_, at) =>
  make(`author${at}`, `stranger${at}`, `Uncommon${at} things, use when odd${at}.`),
)

const near = (skill: Named, others: readonly Named[], most = 4) => {
  const skills = [...STRANGERS, skill, ...others]
  const { alternatives, together } = new WordIndex(skills).findNeighbours(skill, most)
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
  test('is near, of another author, and has what the other is named after', () => {
    expect(near(MINUTES, [SUMMARY]).alternatives).toEqual(['summarize-meeting'])
    expect(near(SUMMARY, [MINUTES]).alternatives).toEqual(['meeting-minutes'])
  })

  test('near, but named after what the other lacks -> goes together', () => {
    const agenda = make(
      'bob',
      'calendar-agenda',
      'Plans the minutes, decisions, owners and dates of a meeting.',
    )
    expect(near(MINUTES, [agenda])).toEqual({ alternatives: [], together: ['calendar-agenda'] })
  })

  test('the same of one author -> goes together, but for one that each names in full', () => {
    const other = { ...SUMMARY, author: MINUTES.author }
    expect(near(MINUTES, [other])).toEqual({ alternatives: [], together: ['summarize-meeting'] })
    const [quick, slow] = [
      make('ann', 'ppo-trainer', 'PPO trainer for fast vectorized agents; dqn baseline.'),
      make('ann', 'dqn-baseline', 'DQN baseline for vectorized agents; fast ppo trainer.'),
    ]
    expect(near(quick, [slow]).alternatives).toEqual(['dqn-baseline'])
  })

  test('of a family whose word the other lacks -> goes together', () => {
    const told = 'Adds login to router pages of a server, with sessions.'
    const plain = make('ann', 'login-router', told)
    const family = ['login', 'mail', 'logs'].map((kind) =>
      make('zed', `zedcloud-${kind}`, kind === 'login' ? `${told} Zedcloud.` : `Sends ${kind}.`),
    )
    expect(near(plain, family.slice(0, 2)).alternatives).toEqual(['zedcloud-login'])
    expect(near(plain, family)).toEqual({ alternatives: [], together: ['zedcloud-login'] })
  })

  test('of the same name and another author -> a little nearness is enough', () => {
    const one = make(
      'ann',
      'skill-creator',
      'Creates skills, then runs evaluations and benchmarks.',
    )
    const told =
      'Guide for effective skills with workflows, evaluations or tools for agents of all kinds'
    expect(near(one, [make('bob', 'skill-creator', told)]).alternatives).toEqual(['skill-creator'])
    expect(near(one, [make('bob', 'guide', told)]).alternatives).toEqual([])
  })

  test('is what a description prefers for another task, both ways', () => {
    const poster = make(
      'ann',
      'pptx-posters',
      'Posters as slides. For print, use latex-posters instead.',
    )
    const latex = make('ann', 'latex-posters', 'Typesets posters.')
    expect(near(poster, [latex]).alternatives).toEqual(['latex-posters'])
    expect(near(latex, [poster]).alternatives).toEqual(['pptx-posters'])
    const tables = make('ann', 'tables', 'Tables as text. Use python instead.')
    expect(near(tables, [make('bob', 'python', 'Snakes.')]).alternatives).toEqual([])
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

  test('names of one author that begin alike, and share something rare', () => {
    const one = make('ann', 'lark-mail', 'Reads inboxes of the suite.')
    const other = make('ann', 'lark-sheets', 'Fills cells of the suite.')
    expect(near(one, [other]).together).toEqual(['lark-sheets'])
    expect(near(one, [make('ann', 'sheets', 'Fills cells.')]).together).toEqual([])
  })
})

describe('the nearest', () => {
  test('nothing shared -> none; none is near itself', () => {
    expect(near(MINUTES, [])).toEqual({ alternatives: [], together: [] })
  })

  test('come nearest first, no more than asked for', () => {
    const further = make('cleo', 'meeting-notes', 'Notes of a meeting: decisions; and minutes.')
    expect(near(MINUTES, [further, SUMMARY]).alternatives).toEqual([
      'summarize-meeting',
      'meeting-notes',
    ])
    expect(near(MINUTES, [further, SUMMARY], 1).alternatives).toEqual(['summarize-meeting'])
  })

  test('one that is not compared has neighbours, and is none', () => {
    const copy = { ...SUMMARY, isCompared: false }
    expect(near(copy, [MINUTES]).alternatives).toEqual(['meeting-minutes'])
    expect(near(MINUTES, [copy]).alternatives).toEqual([])
  })

  test('a word that more than 200 share is not followed', () => {
    const told = 'servers protocols contexts builders routes'
    const common = (count: number): Named[] =>
      Array.from({ length: count }, (_, at) => make('ann', `big-${at}`, told))
    const many = Array.from({ length: 900 }, (_, at) => make(`by${at}`, `x${at}`, `y${at}`))
    const one = make('ann', 'big-one', told)
    expect(near(one, [...many, ...common(199)]).together).toHaveLength(4)
    expect(near(one, [...many, ...common(200)]).together).toEqual([])
  })

  test('texts without blanks are compared too', () => {
    const one = make('ann', '会议纪要', '整理会议纪要并生成报告。')
    const other = make('bob', '会议纪要助手', '生成会议纪要报告，整理会议纪要助手。')
    expect(near(one, [other]).alternatives).toEqual(['会议纪要助手'])
  })
})
