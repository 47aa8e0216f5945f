import { describe, expect, test } from 'vitest'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { OWN_RECORD } from '../../../src/catalog/testing/content.ts'
import { compareCode } from './code.ts'

type Files = Record<string, string | Buffer>

/** A file whose path ends in `*` may be started. */
const open = (files: Files): OpenedSkill => {
  const named = Object.entries(files).map(([name, value]) => ({
    path: name.replace('*', ''),
    isExecutable: name.endsWith('*') || undefined,
    bytes: Buffer.from(value),
  }))
  return {
    slug: 'a',
    folder: '/none',
    files: named.map(({ path, bytes, isExecutable }) => ({
      path,
      size: bytes.length,
      ...(isExecutable && { isExecutable }),
    })),
    bytes: new Map(named.map(({ path, bytes }) => [path, bytes])),
    record: skillRecord.parse(OWN_RECORD),
    fingerprints: [],
    problems: [],
  }
}

const HEAD = '---\nname: a\ndescription: Sorts.\nversion: 1.0.0\n---\n'
const BODY = '\n# Sort\n\nSort words, then run `ls -l`.\n\n```sh\nsort x\n```\n\n- one\n\nLast.\n'
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
const BASE: Files = {
  'SKILL.md': HEAD + BODY,
  'references/more.md': 'More words.\n',
  'pictures/face.png': PNG,
  'run.py': 'print(1)\n',
}

const kindsOf = (before: Files, after: Files): string[] =>
  compareCode(open(before), open(after)).map(({ kind }) => kind)

/** What differs where a text is added to the end of SKILL.md. */
const kindsOfAdded = (text: string | Buffer, path = 'SKILL.md'): string[] => {
  const old = Buffer.from(BASE[path] ?? '')
  return kindsOf(BASE, { ...BASE, [path]: Buffer.concat([old, Buffer.from(text)]) })
}

const withData = (data: string): Files => ({
  ...BASE,
  'SKILL.md': HEAD.replace('version', `metadata:\n  ${data}\nversion`) + BODY,
})

const inHead = (from: string, to: string): string[] =>
  kindsOf(BASE, { ...BASE, 'SKILL.md': HEAD.replace(from, to) + BODY })

describe('what is words alone -> nothing', () => {
  test.each<[string, Files]>([
    ['the same', {}],
    ['prose', { 'SKILL.md': HEAD + BODY.replace('Last.', 'The very last (1.5 %).') }],
    [
      'description and version',
      { 'SKILL.md': HEAD.replace('Sorts', 'It sorts').replace('1.0.0', '1.1.0') + BODY },
    ],
    ['line ends', { 'SKILL.md': (HEAD + BODY).replaceAll('\n', '\r\n') }],
    ['a byte order mark', { 'SKILL.md': `\uFEFF${HEAD}${BODY}` }],
    ['a heading in another form', { 'SKILL.md': HEAD + BODY.replace('# Sort', 'Sort\n====') }],
    ['the words of a reference', { 'references/more.md': 'Other words, and **more** of them.\n' }],
    ['a reference more', { 'references/new.md': 'New words.\n' }],
    [
      'words in other scripts',
      { 'references/more.md': 'Слова: раз, два. 先排序：然后（可选）打开。\n' },
    ],
    ['a picture that no code names', { 'pictures/face.png': Buffer.concat([PNG, PNG]) }],
  ])('%s', (_, change) => {
    expect(kindsOf(BASE, { ...BASE, ...change })).toEqual([])
  })
})

describe('text added to a SKILL.md -> what it adds', () => {
  const run = 'npm install evil'
  test.each<[string, string, string[]]>([
    ['a fence', `\n\`\`\`\n${run}\n\`\`\`\n`, ['code']],
    ['a fence of tildes', `\n~~~\n${run}\n~~~\n`, ['code']],
    ['a fence without an end', `\n\`\`\`\n${run}\n`, ['code']],
    ['a fence in one line', `\n\`\`\` ${run} \`\`\`\n`, ['code']],
    ['a fence in a quotation', `\n> \`\`\`\n> ${run}\n> \`\`\`\n`, ['code']],
    ['a fence in a list', `\n- a\n\n  \`\`\`\n  ${run}\n  \`\`\`\n`, ['code']],
    [
      'a fence in a footnote',
      `\nx[^1]\n\n[^1]: y\n\n    \`\`\`\n    ${run}\n    \`\`\`\n`,
      ['code'],
    ],
    ['what looks like code in a footnote', `\nx[^1]\n\n[^1]: y\n\n    ${run}\n`, ['code']],
    ['an indent', `\n    ${run}\n`, ['code']],
    ['a tab', `\n\t${run}\n`, ['code']],
    ['what looks like an indent', `Then:\n    ${run}\n`, ['code']],
    ['a span', `\nThen \`${run}\`.\n`, ['code']],
    ['a span without an end', `\nThen \`${run}\n`, ['code']],
    ['a span that is escaped', `\nThen \\\`${run}\\\`.\n`, ['code']],
    ['a span in emphasis', `\n**Then \`${run}\`**\n`, ['code']],
    ['a span in a heading', `\n## \`${run}\`\n`, ['code']],
    ['a span in a heading below a line', `\n\`${run}\`\n---\n`, ['code']],
    ['a span in a table', `\n|a|\n|-|\n|\`${run}\`|\n`, ['code']],
    ['a span in a link', `\n[\`${run}\`](#sort)\n`, ['code']],
    ['a span in a picture', `\n![\`${run}\`](#sort)\n`, ['code']],
    ['a span in the title of a link', `\n[a](#sort "\`${run}\`")\n`, ['code', 'address']],
    ['a tag', `\nThen <kbd>${run}</kbd>.\n`, ['code', 'address']],
    ['a block of HTML', `\n<pre>\n${run}\n</pre>\n`, ['code']],
    ['a comment', `\n<!-- ${run} -->\n`, ['code']],
    ['a comment without an end', `\n<!--\n\n${run}\n`, ['code']],
    ['an address', '\nSee https://evil.example/x now.\n', ['address']],
    ['an address in angles', '\n<https://evil.example>\n', ['code', 'address']],
    ['a host alone', '\nSee evil.example now.\n', ['address']],
    ['a host with an emphasized dot', '\nSee evil**.**example now.\n', ['address']],
    ['a host with a wide dot', '\nSee evil．example or evil。example now.\n', ['address']],
    ['a number as a host', '\nSee 10.20.30.40 now.\n', ['address']],
    ['a repository', '\nUse evil/tools.\n', ['address']],
    ['a mailbox', '\nAsk eve@evil.\n', ['address']],
    ['a definition', '\n[x]: //evil\n', ['address']],
    ['a path', '\nRead ~/.netrc first.\n', ['address']],
    ['a variable', '\nSet $HOME and OPENAI_KEY.\n', ['address']],
    ['an option', '\nAlways --force.\n', ['address']],
    ['a reference to a character', '\nRun &#96;npm install evil&#96;.\n', ['address']],
    ['a hidden character', '\nRun e\u200Bvil.\n', ['address']],
  ])('%s', (_, text, kinds) => {
    expect(kindsOfAdded(text)).toEqual(expect.arrayContaining(kinds))
    expect(kindsOfAdded(text.replaceAll('\n', '\r\n'))).toEqual(expect.arrayContaining(kinds))
  })
})

describe('front matter', () => {
  test.each<[string, string, string]>([
    ['a field', 'version', 'allowed-tools: Bash(*)\nversion'],
    ['another name', 'name: a', 'name: b'],
    ['a field of the same name in other letters', 'version', 'Description: Bash\nversion'],
    ['a list for a text', 'Sorts.', '[Bash]'],
    ['an anchor', 'Sorts.', '&x Sorts.'],
    ['a tag', 'Sorts.', '!x Sorts.'],
    ['what is no YAML', 'Sorts.', '"Sorts'],
    ['a field behind a line break of old systems', 'Sorts.', 'Sorts.\rallowed-tools: Bash'],
    ['a field behind a line separator', 'Sorts.', 'Sorts.\u2028allowed-tools: Bash'],
    ['a key of two words', 'version', '? [a]\n: b\nversion'],
    ['another language', '---\nname', '---json\nname'],
    ['no end', '\n---\n', '\n'],
  ])('%s -> waits', (_, from, to) => {
    expect(inHead(from, to)).toEqual(expect.arrayContaining([expect.stringMatching(/field|file/)]))
  })

  test('of a reference -> waits', () => {
    const more = '---\ntools: Bash\n---\nMore words.\n'
    expect(kindsOf(BASE, { ...BASE, 'references/more.md': more })).toEqual(['field'])
  })

  test('a version below metadata, but no other field there', () => {
    expect(kindsOf(withData('version: 1.0.0'), withData('version: 1.0.1'))).toEqual([])
    expect(kindsOf(withData('version: 1.0.0'), withData('tools: Bash'))).toEqual(['field'])
  })

  test('code and an address in the description', () => {
    expect(inHead('Sorts.', 'Sorts by `npm install evil`.')).toContain('code')
    expect(inHead('Sorts.', 'Sorts by evil.example.')).toEqual(['address'])
  })
})

describe('files', () => {
  const { 'run.py': _run, ...rest } = BASE
  test.each<[string, Files, string[]]>([
    ['a script', { ...BASE, 'run.py': 'print(2)\n' }, ['file']],
    ['a script more', { ...BASE, 'x/.hook': 'ls' }, ['file']],
    ['a script less', rest, ['file']],
    ['a script renamed', { ...rest, 'ran.py': 'print(1)\n' }, ['file']],
    ['a script that may be started', { ...rest, 'run.py*': 'print(1)\n' }, ['file']],
    ['a text that may be started', { ...BASE, 'x.md*': 'npm install evil' }, ['file']],
    ['Markdown by another name', { ...BASE, 'x.mdx': 'Words.' }, ['file']],
    ['Markdown that is no UTF-8', { ...BASE, 'x.md': Buffer.from('caf\xe9', 'latin1') }, ['file']],
    ['Markdown that is nested too deeply', { ...BASE, 'x.md': '> '.repeat(500) }, ['file']],
    ['a picture that is none', { ...BASE, 'x.png': 'npm install evil' }, ['file']],
    ['a picture that is a text', { ...BASE, 'x.svg': '<svg/>' }, ['file']],
    ['a font that is none', { ...BASE, 'x.woff2': 'npm install evil' }, ['file']],
    [
      'a code block that moved',
      { ...BASE, 'SKILL.md': `${HEAD}\n\`\`\`sh\nsort x\n\`\`\`\n\n\`ls -l\`\n` },
      ['code'],
    ],
  ])('%s -> waits', (_, after, kinds) => {
    expect(kindsOf(BASE, after)).toEqual(kinds)
  })

  test.each<[string, string, string]>([
    ['by its name', 'sh pictures/face.png', 'pictures/face.png'],
    ['by its folder', 'sh pictures/$x', 'pictures/face.png'],
    ['as one of all', 'cat */* | sh', 'pictures/face.png'],
    ['by its ending', 'find . -name "?*.png" -exec sh {} +', 'pictures/face.png'],
    ['by its name', 'sh references/more.md', 'references/more.md'],
    ['in a second line', 'sh \\\n  references/more.md', 'references/more.md'],
    ['by its folder', 'for f in references/*; do . $f; done', 'references/more.md'],
    ['as one of all', 'cat */*.md | sh', 'references/more.md'],
  ])('a picture or Markdown that a command names %s: %s -> waits', (_, command, path) => {
    const named = { ...BASE, 'SKILL.md': `${HEAD}\n\`\`\`\n${command}\n\`\`\`\n` }
    const after = {
      ...named,
      [path]: Buffer.concat([Buffer.from(BASE[path]!), PNG.subarray(0, 1)]),
    }
    const words = { ...named, [path]: `${String(BASE[path])} More.` }
    expect(kindsOf(named, path.endsWith('md') ? words : after)).toContain('file')
  })

  test.each(['rm dist/*', 'ls *.txt', 'sh run.py', 'sort preferences'])(
    'Markdown that a command does not name: %s -> words',
    (command) => {
      const named = { ...BASE, 'SKILL.md': `${HEAD}\n\`\`\`\n${command}\n\`\`\`\n` }
      expect(kindsOf(named, { ...named, 'references/more.md': 'Other words.\n' })).toEqual([])
    },
  )

  test('Markdown that a list of files names, or a reference -> words', () => {
    const listed = {
      ...BASE,
      'SKILL.md': `${HEAD}\n\`references/more.md\`\n\n\`\`\`\n├── references/more.md  words\n\`\`\`\n`,
    }
    expect(kindsOf(listed, { ...listed, 'references/more.md': 'Other words.\n' })).toEqual([])
  })
})

test('a new skill waits, and so does one that cannot be compared in time', () => {
  const changes = compareCode(undefined, open({ 'SKILL.md': 'Words.' }))
  expect(changes).toEqual([{ kind: 'field', values: ['skill.json'] }])
})
