import { expect, test } from 'vitest'
import { collect, collectNames, shell } from '../testing/needs.ts'

test.each<[string, string, string[]]>([
  ['a.py', 'import os, numpy as np\nfrom PIL import Image', ['numpy', 'pillow']],
  ['a.py', 'from .own import x\n>>> import yaml\n# import this here', ['pyyaml']],
  ['a.ts', "import a from 'zod'\nimport fs from 'node:fs'\nimport 'path'", ['zod']],
  ['a.tsx', "import {\n  A,\n} from '@scope/a/b'\nimport b from './b'", ['@scope/a']],
  ['a.js', 'const x = require(\'ab-y/z\'); await import("three")', ['ab-y', 'three']],
  ['a.js', "import a from '@/a'; import b from '~/b'", []],
  ['a.ts', 'import a from "jsr:@std/http@1"; import b from "npm:chalk@5"', ['@std/http', 'chalk']],
  ['a.go', 'import (\n\t"fmt"\n\tx "github.com/a/b/c"\n)', ['github.com/a/b']],
  ['a.rs', 'use std::fs;\nuse serde::Deserialize;\nuse crate::a;', ['serde']],
  ['scripts/a', '#!/usr/bin/env -S uv run --script\nimport books', ['books']],
])('imports of %s: %j -> %j', (path, text, names) => {
  const found = collect('', { [path]: text }).packages.map(({ name }) => name)
  expect([...found].sort()).toEqual([...names].sort())
})

test('text that a shell passes to an interpreter is read as code', () => {
  const text = shell('python3 - <<EOF', 'import shelf', 'EOF', 'node -e "require(\'books\')"')
  expect(collectNames('packages', text)).toEqual(['shelf (imported)', 'books (npm)'])
})

const sample = (name: string): string =>
  `\`\`\`ts\nprocess.env.${name}; open("~/.far", "w")\n\`\`\``

test('of code samples, only the variables that SKILL.md reads count', () => {
  const needs = collect(sample('A_KEY'), { 'a.md': sample('B_KEY') })
  expect([needs.variables.map(({ name }) => name), needs.outside]).toEqual([['A_KEY'], []])
})

test('what samples beside SKILL.md import, readmes name and images install is not installed', () => {
  const text = '```dockerfile\nRUN apt-get install curl\n```'
  const files = { 'README.md': '`npm i far`', 'references/a.md': '```py\nimport numpy\n```' }
  expect(collectNames('packages', text, files)).toEqual([])
})

test.each<[string, string, string[]]>([
  ['py', 'import numpy, far.a\nfrom utils.near import x', ['far (imported)', 'numpy (imported)']],
  ['py', 'import yaml', ['pyyaml (PyPI)']],
  ['py', 'import Part', []],
  ['ts', "import a from '@std/path'", ['@std/path (JSR)']],
  ['sh', "pip install far-sdk\npython - <<'X'\nimport far\nX", ['far-sdk (PyPI)']],
  ['sh', 'pip install far pyfar far-sdk', ['far (PyPI)', 'far-sdk (PyPI)', 'pyfar (PyPI)']],
])('a code sample of SKILL.md, of %s, imports packages: %j -> %j', (language, text, names) => {
  expect(collectNames('packages', `\`\`\`${language}\n${text}\n\`\`\``).sort()).toEqual(names)
})

test('a module that the skill includes, or another folder of its author, is not a package', () => {
  const text = '# old\nimport shelf\nimport books\nsys.path.insert(0, "../src")\nimport own'
  const files = { 'scripts/run.py': text, 'scripts/shelf.py': '' }
  expect(collectNames('packages', '', files)).toEqual(['books (imported)'])
})

test('of a program with metadata, the packages are those in it', () => {
  const text =
    '# /// script\n# dependencies = [\n#   "shelf>=1",\n#   "books",\n# ]\n# ///\nimport far'
  expect(collect('', { 'run.py': text }).packages).toEqual([
    { name: 'shelf', file: 'run.py', line: 3, from: 'PyPI' },
    { name: 'books', file: 'run.py', line: 4, from: 'PyPI' },
  ])
})

test.each<[string, string, string[]]>([
  [
    'run.py',
    'os.environ["A_KEY"]; os.getenv(\'B_KEY\'); os.environ.get("C_KEY")',
    ['A_KEY', 'B_KEY', 'C_KEY'],
  ],
  ['run.js', 'process.env.A_KEY; Deno.env.get("B_KEY")', ['A_KEY', 'B_KEY']],
  ['run.py', '# Needs A_KEY and OUT_DIR.\nx = B_KEY', ['A_KEY']],
  ['run.rb', 'ENV["A_KEY"]; ENV.fetch("B_KEY")', ['A_KEY', 'B_KEY']],
  ['run.sh', 'OUT_DIR=x; echo $OUT_DIR "${BASE_URL:?}"', ['BASE_URL']],
  ['run', '#!/bin/sh\necho $BASE_URL', ['BASE_URL']],
])('environment variables in %s: %s -> %j', (path, text, names) => {
  expect(collectNames('variables', 'Text.', { [path]: text })).toEqual(names)
})

test.each<[string, string, string[]]>([
  ['run.py', 'subprocess.run(\n    ["ffmpeg", "-y"])', ['ffmpeg']],
  ['run.py', 'shutil.which("sort-shelf")', ['sort-shelf']],
  ['run.js', "execSync('git status'); spawn('tool-a', [])", ['git', 'tool-a']],
  ['run.js', "exec('some words here'); run('tool-b')", []],
  ['run.py', "run(['far-a', 'x'])", ['far-a']],
  ['run.mjs', "run(['far-b', 'x'])", []],
  ['scripts/run', '#!/usr/bin/env -S uv run --script\nimport books', ['uv']],
])('commands that %s runs: %s -> %j', (path, text, names) => {
  expect(collectNames('commands', '', { [path]: text })).toEqual(names)
})

test.each<[string, string[]]>([
  ['requests.get("https://jsr.io/x")', ['jsr.io']],
  ['API_URL = "https://jsr.io"', ['jsr.io']],
  ['http.get_json(\n    f"https://jsr.io/{x}"\n)', ['jsr.io']],
  ['const o = "https://jsr.io"; fetch(o)', ['jsr.io']],
  ['far = "https://jsr.io"\nnear = f"{far}/x"', ['jsr.io']],
  ['const far = { o: "https://jsr.io" }\nsend(far.o)', ['jsr.io']],
  [
    'new WebSocket("wss://jsr.io/x"); console.log(await fetch("https://deno.com"))',
    ['jsr.io', 'deno.com'],
  ],
  ['got("https://jsr.io")', ['jsr.io']],
  ['requests.get("HTTPS://jsr.io/x")', ['jsr.io']],
  ['a = 7 // 2; far(\n  *get("https://jsr.io"))', ['jsr.io']],
  ['o = a if a.startswith("http") else "https://jsr.io"', ['jsr.io']],
  ['print(a); get(headers={"User-Agent": a}, url="https://jsr.io")', ['jsr.io']],
  ['new Image().src="https://jsr.io"', ['jsr.io']],
  ['far = [\n  "https://jsr.io",\n]\nfor near in far:\n  load(near)', ['jsr.io']],
  ['$o = "https://jsr.io"\niwr $o', ['jsr.io']],
  ['print("https://jsr.io")  # or fetch', []],
  ['url.startswith("https://jsr.io")', []],
  ['headers = {"HTTP-Referer": "https://jsr.io"}', []],
  ['# https://jsr.io', []],
  ['get(url)  # as in "https://jsr.io"', []],
  ['a = " # "; url = "https://get-fast.top"', ['get-fast.top']],
  ['url = "https://docs.deno.com/x"', []],
  ['requests.get("https://docs.deno.com/x")', ['docs.deno.com']],
  ['import a from "https://jsr.io/react"', ['jsr.io']],
  ['found = {"url": f"https://jsr.io/{x}"}', []],
  ['url = "http://www.w3.org/2000/svg"', []],
  ['a = "http://jsr.io/2011/x"; b = "http://schemas.far.org/1.0/x"', ['jsr.io']],
])('hosts that a program calls: %s -> %j', (text, names) => {
  expect(collectNames('hosts', '', { 'run.py': text })).toEqual(names)
})

test.each<[string, string, string[]]>([
  ['far.test.mjs', 'const url = "https://jsr.io"; block(url)', []],
  ['far.test.mjs', 'const o = "https://jsr.io"; fetch(o)', ['jsr.io']],
  ['far.test.mjs', 'const o = "https://jsr.io"; https.get(o)', ['jsr.io']],
  [
    'a.mjs',
    'class A { #o = "https://jsr.io"\n  #far() { near("https://deno.com") }',
    ['jsr.io', 'deno.com'],
  ],
  ['a.mjs', '/**\n * like("https://jsr.io")\n */ // or "https://deno.com"', []],
  ['a.ps1', 'IWR https://jsr.io/x\ncurl https://deno.com/x', ['jsr.io', 'deno.com']],
])('hosts that %s calls: %s -> %j', (path, text, names) => {
  expect(collectNames('hosts', '', { [path]: text })).toEqual(names)
})

test.each<[string, string[]]>([
  ['open("/etc/shelf.conf", "w")', ['/etc/shelf.conf']],
  ['open("/etc/shelf.conf")', []],
  ['Path.home() / ".shelf"; os.path.expanduser("~/.books")', ['~/.books', '~/.shelf']],
])('paths outside the project that a program names: %s -> %j', (text, names) => {
  expect(collectNames('outside', '', { 'run.py': text })).toEqual(names)
})

test('a program that only reads a path does not write it, nor install what its messages tell', () => {
  const text =
    'p = expanduser("~/.books")\nopen(p, "r")\nprint("Try: brew install jq")\nopen(q, "w")\n'
  const { outside, packages } = collect('', { 'run.py': text })
  expect(outside).toMatchObject([{ name: '~/.books', onlyNamed: true }])
  const [written] = collect('', { 'run.py': `${text}p.write_text("")` }).outside
  expect(written).not.toHaveProperty('onlyNamed', true)
  expect(packages).toEqual([{ name: 'jq', from: 'Homebrew', file: 'run.py', line: 3 }])
})

test.each<[string, string[]]>([
  ['The old `far-a` is deprecated. Do not use `npm install far-b`.', []],
  ['```yaml\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: npm i -g near\n```', []],
  ['```json\n"dependencies": { "near": "^1.2.0",\n  "shelf": "6" }\n```', []],
])('packages without a command in %j -> %j', (text, names) => {
  expect(collectNames('packages', text)).toEqual(names)
})
