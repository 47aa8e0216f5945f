import { expect, test } from 'vitest'
import { makeSampleFolder, readSampleTree } from '../../testing/sample-folders.ts'
import { upgradeContent } from './upgrade-content.ts'

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const FAR = 'skills/far/skill.json'
const url = 'https://github.com/ada/tools'
const digest = '0123456789abcdef'
const source = { kind: 'upstream', url, status: 'gone', checked: '2026-01-02' }
const seen = { ...source, seen: '2026-01-01' }
const row = { address: 'https://far.example', note: 'tokenFrom' }
const KEPT = { 'skills/near/skill.json': '{ "id": 2 }', 'counters.json': '{"1": {"views": 1}}' }
const UNTRACED = { [FAR]: '{"source":{"kind":"upstream","status":"untraced"}}' }

/** Files of version 1.0.0, what is said of them, and the files after the upgrade; `~` is the content folder. */
test.each<[string, Record<string, string>, string[], Record<string, string>]>([
  [
    'files that nothing reads',
    { 'copies.json': '{"2": 1}', 'counters.state.json': '{}' },
    [
      'Removed ~/copies.json, which nothing reads any more.',
      'Removed ~/counters.state.json, which nothing reads any more.',
    ],
    {},
  ],
  [
    'fields that are gone',
    {
      [FAR]: JSON.stringify({ id: 1, source: { ...seen, via: 'x' }, via: 'kept', partsFrom: {} }),
      'site.json': '{"versions":{"since":"x","days":90},"review":"code"}',
      'sources.json': JSON.stringify([
        { ...row, tokenFrom: 'TOKEN', review: 'code', wait: 7 },
        { ...row, review: 'all' },
      ]),
    },
    [
      `Removed partsFrom from ~/${FAR}.`,
      `Removed source.via from ~/${FAR}.`,
      'Removed versions.days from ~/site.json.',
      'Removed *.tokenFrom from ~/sources.json.',
      'Removed *.wait from ~/sources.json.',
      '~/site.json: "review" is "files" instead of "code".',
      '~/sources.json: "review" is "files" instead of "code".',
    ],
    {
      [FAR]: print({ id: 1, source: seen, via: 'kept' }),
      'site.json': print({ versions: { since: 'x' }, review: 'files' }),
      'sources.json': print([
        { ...row, review: 'files' },
        { ...row, review: 'all' },
      ]),
    },
  ],
  [
    'rejections, and versions that waited',
    {
      [FAR]: JSON.stringify({ source: seen }),
      'pending/skills/far/SKILL.md': 'x',
      'sources.state.json': JSON.stringify({
        rejected: ['far', 'new'].map((slug) => ({ slug, digest, isTold: true })),
      }),
    },
    [
      'Carried rejections over from ~/sources.state.json to ~/sources.lock: 2.',
      'Removed ~/pending: the next update writes these versions into skills/, for a review in git.',
    ],
    {
      [FAR]: JSON.stringify({ source: seen }),
      'sources.lock':
        `{"address":"${url}","rejected":"${digest}","slug":"far"}\n` +
        `{"address":"unknown","rejected":"${digest}","slug":"new"}\n`,
    },
  ],
  [
    'a source that was copied',
    { [FAR]: JSON.stringify({ source: { ...source, status: 'copied' } }) },
    [`~/${FAR}: its source was last seen on 2026-01-02.`],
    { [FAR]: print({ source: { ...source, status: 'alive', seen: '2026-01-02' } }) },
  ],
  [
    'a source without the day on which it was seen',
    { [FAR]: JSON.stringify({ source }) },
    [`~/${FAR}: its source was last seen on 2026-01-02.`],
    { [FAR]: print({ source: { ...source, seen: '2026-01-02' } }) },
  ],
  [
    'a source that was never found',
    UNTRACED,
    [`~/${FAR}: its source was never found; remove the skill (retire).`],
    UNTRACED,
  ],
])('%s -> upgraded once, and everything else is unchanged', (_, files, said, after) => {
  const content = makeSampleFolder({ ...KEPT, ...files })
  const upgrade = () => upgradeContent(content).map((words) => words.replaceAll(content, '~'))
  expect(upgrade()).toEqual(said)
  expect(readSampleTree(content)).toEqual({ ...KEPT, ...after })
  expect(upgrade()).toEqual(files === UNTRACED ? said : [])
})

test('a file that is not JSON -> an error that names it', () => {
  const content = makeSampleFolder({ [FAR]: '{' })
  const message = /skills\/far\/skill\.json is not JSON: .*; correct it, and run the upgrade again$/
  expect(() => upgradeContent(content)).toThrow(message)
})
