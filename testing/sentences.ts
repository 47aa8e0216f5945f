// Lists the sentences of the product by file and line, so that a reader can go through all of them: pages, errors,
// reports, help. `npm run sentences > sentences.txt`; `npm run sentences -- build/catalog` lists one folder.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Whether a text has two adjacent words, and is not a list of class names or identifiers. */
const isSentence = (text: string): boolean =>
  /[a-z]{2,} [a-z]{2,}[ ,]/i.test(text) && !/^[\w-]+(?: [\w-]+)*$|SELECT |CREATE TABLE/.test(text)

/** The text of a string or template; values in a template are shown as `{…}`. */
const readText = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('')
}

const listSentences = (file: string): string[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const lines: string[] = []
  const visit = (node: ts.Node): void => {
    const text = readText(node)
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    if (text !== undefined && isSentence(text))
      lines.push(`${file}:${line + 1}: ${text.replaceAll(/\s+/g, ' ').trim()}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

const ROOMS = ['src', 'build', 'functions', 'extras']
const folders = process.argv.length > 2 ? process.argv.slice(2) : ROOMS
const files = execFileSync('git', ['ls-files', ...folders], { encoding: 'utf8' })
  .trim()
  .split('\n')
const read = files.filter((file) => /\.m?ts$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
console.log(read.flatMap(listSentences).join('\n'))
