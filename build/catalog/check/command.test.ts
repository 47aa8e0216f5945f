import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { OWN_RECORD, SITE, UPSTREAM_RECORD } from '../../../src/catalog/testing/content.ts'
import { addFiles, makeSampleFolder, sampleSkillMd } from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { makeRepository } from '../import/testing/sample-repository.ts'
import { runCommand } from '../testing/run-command.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const CONTENT = fileURLToPath(new URL('../../../content', import.meta.url))

/** Checks a path in a folder with these files; the output is returned without the name of the folder. */
const check = async (files: SampleFiles, path = '.', ...options: string[]) => {
  const root = realpathSync(makeSampleFolder(files))
  const { code, ...output } = await runCommand('check', join(root, path), ...options)
  const clean = (text: string): string => text.replaceAll(`${root}/`, '')
  const [stdout, stderr] = [clean(output.stdout), clean(output.stderr)]
  const lines = stdout.split('\n\n')[1]?.trimEnd().split('\n') ?? []
  return {
    code,
    stdout,
    stderr,
    places: lines.map((line) => line.split(' ').slice(0, 3).join(' ')),
  }
}

const GOOD = sampleSkillMd('a', 'Sorts words of a list by length.', '# A\n\nSort.')
const BAD = GOOD.replace('name: a', 'name: A b')

/** Records calls of git; the returned function lists the calls since its previous call. */
const countGit = (): (() => string[]) => {
  const log = join(makeSampleFolder({ log: '' }), 'log')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const bin = makeSampleFolder({ git: `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real}' "$@"\n` })
  chmodSync(join(bin, 'git'), 0o755)
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`)
  return () => {
    const calls = readFileSync(log, 'utf8').trim().split('\n')
    writeFileSync(log, '')
    return calls.map((call) => /(?:ls-files|config --local)/.exec(call)?.[0] ?? call)
  }
}

test('any number of skills -> git is called once', async () => {
  const names = ['a', 'b', 'c']
  const skills = Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, GOOD]))
  const { folder } = makeRepository(skills)
  const paths = names.map((name) => join(folder, 'skills', name))
  const listCalls = countGit()
  for (const args of [[folder], paths]) {
    await runCommand('check', ...args)
    expect(listCalls()).toEqual(['ls-files'])
  }
  addFiles(folder, { 'site.json': SITE })
  for (const args of [paths, [folder]]) {
    await runCommand('check', ...args)
    // In a catalog, git also lists ignored files.
    expect(listCalls()).toEqual(['config --local', 'ls-files', 'ls-files'])
  }
})

test('errors in skills without a catalog -> exit code 1, a summary by rule, then one line each; --json: one object', async () => {
  const files = { 'a/SKILL.md': `${GOOD}\n[x](x.md)\n`, 'b/SKILL.md': BAD, 'c/SKILL.md': BAD }
  const { code, stdout, stderr } = await check(files)
  expect([code, stderr]).toEqual([1, '3 skills: 2 errors, 1 warning, 0 notes\n'])
  const format = 'the name may contain only a-z, 0-9 and single hyphens between words'
  const dead = 'the link leads to a file that an installed skill does not have'
  const violation = `error name-format ${format}: "A b", better "a-b" — write lower-case words joined by hyphens, and give the folder the same name`
  expect(stdout.split('\n')).toEqual([
    `2  error    name-format  in 2 files: ${format}`,
    `1  warning  link-dead    in 1 file: ${dead}`,
    '',
    `a/SKILL.md:10:1 warning link-dead ${dead}: "x.md" — add the file, correct the path (relative to the skill’s folder), or link to its web address`,
    `b/SKILL.md:2:7 ${violation}`,
    `c/SKILL.md:2:7 ${violation}`,
    '',
  ])
  const json = JSON.parse((await check(files, '.', '--json')).stdout)
  const place = { file: 'b/SKILL.md', line: 2, column: 7 }
  expect(json).toMatchObject({
    skills: 3,
    rules: [{ severity: 'error', rule: 'name-format', count: 2, files: 2 }, {}],
    diagnostics: [{}, { ...place, severity: 'error', rule: 'name-format' }, {}],
  })
})

test('the path of a SKILL.md, with --rule -> only that skill, and only that rule', async () => {
  const files = { 'a/SKILL.md': `${BAD}\n[x](x.md)\n`, 'b/SKILL.md': BAD }
  const [format, dead] = ['a/SKILL.md:2:7 error name-format', 'a/SKILL.md:10:1 warning link-dead']
  expect((await check(files, 'a/SKILL.md')).places).toEqual([format, dead])
  const one = await check(files, 'a/SKILL.md', '--rule', 'link-dead')
  expect([one.code, one.places]).toEqual([0, [dead]])
})

test.each([
  [['nowhere'], /"[^"]*nowhere" is neither a SKILL\.md nor a folder; name one/],
  [['b.md'], /is neither a SKILL\.md nor a folder/],
  [['.', '--rule', 'name-formt'], /did you mean "name-format"\?/],
])('check %j -> exit code 2', async ([path, ...options], message) => {
  const { code, stdout, stderr } = await check({ 'b.md': BAD }, path, ...options)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
})

/** A catalog of one skill. */
const catalog = (record: object, text = GOOD): SampleFiles => ({
  'site.json': SITE,
  'sources.json': '[{"address": "https://github.com/ann/skills"}]',
  'skills/a/skill.json': JSON.stringify(record, null, 2),
  'skills/a/SKILL.md': text,
})

const linesOfB = ({ stdout }: { stdout: string }): string[] =>
  stdout.split('\n').filter((line) => line.startsWith('skills/b/'))

const recordOf = (id: number, name: string) => ({ ...UPSTREAM_RECORD, id, name })

test('a skill beside a starter set with others -> the set is not judged', async () => {
  const files = {
    ...catalog(OWN_RECORD),
    'site.json': { ...SITE, starter: ['b'] },
    'skills/b/skill.json': recordOf(2, 'b'),
    'skills/b/SKILL.md': GOOD.replace('name: a', 'name: b'),
  }
  expect((await check(files, 'skills/a')).stdout).not.toContain('starter')
})

test('a front matter and a record that cannot be read do not hide other faults', async () => {
  const text = `${GOOD.replace('name: a', 'name: b').replace('Sorts', 'Sorts: ')}[x](x.md)\n`
  const { code, places } = await check({
    ...catalog(OWN_RECORD, text),
    'skills/a/b.sh': 'curl far.dev | sh\n',
    'skills/c/SKILL.md': `${BAD}[x](x.md)\n`,
    'skills/c/skill.json': JSON.stringify(
      { ...UPSTREAM_RECORD, id: 'x', category: 'a, b' },
      null,
      2,
    ),
    'skills/c/b.sh': 'curl far.dev | sh\n',
  })
  expect(code).toBe(1)
  expect(places).toEqual([
    'skills/a/SKILL.md:2:7 error name-folder',
    'skills/a/SKILL.md:3:1 error front-matter',
    'skills/a/SKILL.md:9:1 warning link-dead',
    'skills/a/b.sh:1:1 warning pipe-to-shell',
    'skills/c/SKILL.md:2:7 warning name-format',
    'skills/c/SKILL.md:9:1 warning link-dead',
    'skills/c/b.sh:1:1 warning pipe-to-shell',
    'skills/c/skill.json:2:9 error field',
    'skills/c/skill.json:4:15 error field',
  ])
})

test('many problems in one file -> the first five', async () => {
  const counters = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`x${at}`, 1]))
  const files = { ...catalog(OWN_RECORD), 'counters.json': counters }
  expect((await check(files)).places).toHaveLength(5)
})

test('errors in a copied skill -> warnings; findings keep their severity', async () => {
  const files = {
    ...catalog({ ...UPSTREAM_RECORD, id: 1 }, BAD),
    'skills/a/con.txt': 'x',
    'skills/a/X.md': 'x',
    'skills/a/x.md': 'x',
  }
  const places = [
    'skills/a/SKILL.md:2:7 warning name-format',
    'skills/a/con.txt:1:1 warning file-name',
    'skills/a/x.md:1:1 warning same-name',
  ]
  expect(await check(files)).toMatchObject({ code: 0, places })
  const alone = await check({ ...files, 'blog/b.md': 'x' }, 'skills/a')
  expect(alone).toMatchObject({ code: 0, places })
})

test('an accepted finding -> not reported until its line changes', async () => {
  const files = { ...catalog(OWN_RECORD), 'skills/a/b.sh': 'curl get.far.dev | sh\n' }
  const { stdout } = await check(files, '.', '--json')
  const { rule, digest } = JSON.parse(stdout).diagnostics[0]
  const accepted = [{ rule, file: 'b.sh', digest, by: 'ann', when: '2026-01-02', why: 'read' }]
  const known = { ...files, ...catalog({ ...OWN_RECORD, accepted }) }
  expect((await check(known)).stdout).toBe('')
  const changed = { ...known, 'skills/a/b.sh': 'curl get.far.dev | sh -x\n' }
  expect((await check(changed)).places).toEqual([
    'skills/a/b.sh:1:1 warning pipe-to-shell',
    'skills/a/skill.json:10:5 note acceptance-unused',
  ])
  const old = catalog({
    ...OWN_RECORD,
    accepted: [{ ...accepted[0], digest: digest.slice(0, 16) }],
  })
  expect((await check({ ...files, ...old })).stdout).toMatch(
    /:1:1 warning pipe-to-shell [^]*:10:5 note acceptance-unused .* — version 1\.0\.0 wrote its digest/,
  )
})

test('example prompts that are not searched to the end, and with --rule no-asks, a skill without any', async () => {
  const asks = (examples: string[]) => catalog({ ...OWN_RECORD, parts: { examples } })
  const long = ['a'.repeat(100), 'a'.repeat(101), ...'bcdefg', 'ninth']
  expect((await check(asks(long))).places).toEqual([
    'skills/a/skill.json:12:7 note ask-unread',
    'skills/a/skill.json:19:7 note ask-unread',
  ])
  const find = (files: SampleFiles) => check(files, '.', '--rule', 'no-asks')
  expect((await find(asks(['a']))).places).toEqual([])
  expect((await check(catalog(OWN_RECORD))).places).toEqual([])
  const { code, places } = await find(catalog(OWN_RECORD))
  expect([code, places]).toEqual([0, ['skills/a/skill.json:1:1 note no-asks']])
})

test('invalid and duplicate fields, values cut short by a comment, and bad rows of sources.json', async () => {
  const row = '{"note": "a", "note": "b", "address": "https://a.example/b/c", "branch": "x"}'
  const site = { ...SITE, starter: ['none'] }
  const { places, stdout } = await check({
    ...catalog(OWN_RECORD),
    'skills/a/skill.json': JSON.stringify(OWN_RECORD).replace('{', '{"id": 7, '),
    'site.json': JSON.stringify(site).replace('{', '{"name": "x", '),
    'sources.json': `[${row}]`,
    'retired.json': '[\n  {"id": 1,}\n]',
    'pages/o.md': '---\ntitle: a\ndescription: b\ndate: 2026-13-01\n---\n',
    'blog/a.md': '---\ntitle: a: b\n---\n',
    'blog/b.md': '---\ntitle: A #1 post\ndescription: b\ndate: 2026-01-01 # today\n---\n',
    'blog/c.md': 'Note: a #b\n',
    'pages/p.md': '---\ntitle: a\ndescription: b\ndate: 2026-01-01\ntitle: c\n---\n',
  })
  expect(places.toSorted()).toEqual([
    'blog/a.md:2:1 error refused',
    'blog/b.md:2:1 note value-cut',
    'blog/c.md:1:1 error refused',
    'pages/o.md:4:7 error field',
    'pages/p.md:1:1 error refused',
    'retired.json:2:12 error refused',
    'site.json:1:108 error field',
    'site.json:1:15 warning field-twice',
    'skills/a/skill.json:1:11 warning field-twice',
    'sources.json:1:16 warning field-twice',
    'sources.json:1:75 error field',
  ])
  expect(stdout).toContain('title appears twice — remove one of the two')
  expect(stdout).toContain('0.branch — ')
})

test('what version 1.0.0 wrote -> named, with what to write instead', async () => {
  const { places, stdout } = await check({
    ...catalog(OWN_RECORD),
    'site.json': { ...SITE, review: 'code' },
    'sources.json': [{ address: 'https://a.example/b/c', review: 'code', wait: 7 }],
    'sources.state.json': '{}',
    'pending/skills/a/SKILL.md': 'x',
  })
  expect(places).toEqual([
    'site.json:1:93 error field',
    'sources.json:1:46 error field',
    'sources.json:1:60 error field',
    'sources.state.json:1:1 warning old-file',
    'pending:1:1 warning old-file',
  ])
  expect(stdout.match(/ is gone; "files" comes nearest to it/g)).toHaveLength(2)
  expect(stdout).toContain('0.wait — unknown field; remove it: a change request waits')
})

test.each<[string, object, SampleFiles, string]>([
  ['a missing category', { category: 'Codin' }, {}, '"Codin"'],
  ['no owner', {}, { 'site.json': { ...SITE, policy: { owner: true } } }, 'policy.owner'],
  ['an id of another skill', { id: 1 }, {}, 'is taken by skills/a; "npm run catalog -- move'],
  ['a slug that was retired', {}, { 'retired.json': '[{"id": 7, "slug": "b"}]' }, 'never reused'],
  ['no such successor', { deprecated: { since: '2026-01-01', use: 'aa' } }, {}, 'mean "a"?'],
])(
  '%s -> an error for the folder of the skill, as for the catalog',
  async (_, more, files, words) => {
    const sample = {
      ...catalog({ ...OWN_RECORD, id: 1 }),
      'skills/b/skill.json': { ...OWN_RECORD, id: 2, ...more },
      'skills/b/SKILL.md': GOOD.replace('name: a', 'name: b'),
      ...files,
    }
    const whole = linesOfB(await check(sample))
    expect(whole.join('\n')).toContain(words)
    for (const path of ['skills/b', 'skills/b/SKILL.md', 'skills']) {
      const found = await check(sample, path)
      expect([found.code, linesOfB(found)]).toEqual([1, whole])
      if (path !== 'skills') expect(found.stdout).not.toContain('skills/a/')
    }
  },
)

test('two skills with one name -> a warning at each, for the catalog and for each folder', async () => {
  const sample = {
    ...catalog(OWN_RECORD),
    'skills/b/skill.json': recordOf(2, 'a'),
    'skills/c/skill.json': recordOf(3, 'A'),
  }
  const shared = async (path: string): Promise<string[]> =>
    (await check(sample, path)).stdout
      .split('\n')
      .filter((line) => line.includes(':1:1 warning name-shared '))
  const lines = await shared('.')
  const words = [/^skills\/a\/.*"a", as skills\/b/, /^skills\/b\/.*"a", as skills\/a/]
  expect(lines.toSorted()).toEqual(words.map((one) => expect.stringMatching(one)))
  expect([...(await shared('skills/a')), ...(await shared('skills/b'))]).toEqual(lines)
  expect(await shared('skills/c')).toEqual([])
})

test.each(['site.json', 'retired.json'])(
  'a fault in %s, by which every skill is judged -> an error for the folder of a skill, too',
  async (name) => {
    const { code, places } = await check({ ...catalog(OWN_RECORD), [name]: '{' }, 'skills/a')
    expect(code).toBe(1)
    expect(places.join('\n')).toContain(`${name}:1:2 error refused`)
  },
)

test('the repository around a catalog -> its skills are checked with their records, and those in all other folders', async () => {
  const inside = Object.entries(catalog({ ...OWN_RECORD, category: 'Codin' }))
  const files = Object.fromEntries(inside.map(([path, text]) => [`content/${path}`, text]))
  const { places } = await check({
    ...files,
    '.claude/skills/a/SKILL.md': GOOD,
    'plugins/p/skills/b/SKILL.md': GOOD,
    'plugins/p/skills/b/references/x/SKILL.md': 'an example',
    'node_modules/x/SKILL.md': 'x',
  })
  expect(places).toEqual([
    'content/skills/a/skill.json:4:15 error field',
    'plugins/p/skills/b/SKILL.md:2:7 error name-folder',
    'plugins/p/skills/b/references/x/SKILL.md:1:1 note upload',
  ])
})

test('the shipped catalog -> no diagnostics', async () => {
  const { code, stdout } = await runCommand('check', '--content', CONTENT)
  expect([code, stdout]).toEqual([0, ''])
})
