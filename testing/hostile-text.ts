import * as fc from 'fast-check'

/** Markers of Markdown, alone and in their usual places. */
const MARKS = `# |## |## A|## Install|===|---|***|- |+ |1. |2) |7) |> |    |[ ] |[x] |* |**|_|~~|~|\`|\`\`|\`\`\`|~~~
\`\`\`sh|\`\`\`\`md|~~~md|\\|!|![|[|]|](|(|)|:|"|'|<|>|&|</|<!--|-->|]]>|<![CDATA[|<?x`

/** HTML, complete and in pieces. */
const HTML = `<script>|</script>|<div>|<pre>|<br>|<h1>A</h1>|<h2|</a>|<a href="x">|<img src=x onerror=y>
</code></pre>|\`\`\`"><script>|&lt;|&#60;|&#x5b;|&#x27;|&amp;|&quot;|&nbsp;|&colon;`

/** Addresses and links. Some of them must never become links on a page. */
const LINKS = `[a](|[a](b)|[a](/b "c<'")|[a](/evil)|[a](//e.vil)|[a](javascript:x)|](javascript:x)|javascript:x
[a](references/a.md)|[a](#a)|[a](#install)|![a](https://e.example)|[a]|[^1]|[^A]|[!WARNING]|<https://e.example>
https://e.example/|https://e.example/?a=1&b=2|www.e.example|a@e.example|mailto:a@b.c|ftp://e.example`

/** Invisible characters, and unusual kinds of white space. */
const INVISIBLE = [
  '\u00A0',
  '\u3000',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u200B',
  '\u202E',
  '\u2066',
  '\uFEFF',
]
const CONTROLS = ['\u0000', '\u001B', '\uD800', '\r', '\uE000text\uE001', '\u{E0041}\u{E0042}']

const BLANKS = ['\n', '\n\n', '\r\n', '\t', ' ']
const LINES = [
  '|',
  '\\|',
  '| a |  |\n|---|--:|\n',
  '```sh\n',
  '[x]: javascript:y\n',
  '[^1]: x\n',
  '[^a]: ',
  '[^1]: b[^a]\n\n    c\n',
  '> [!NOTE]\n> ',
  '> [!Tip]  \n',
]
const WORDS = ['text', 'a', 'b c', 'é', '😀', '👩‍👩‍👧', 'שלום']

/** Pieces of a hostile author's text. Any sequence of them must stay contained. */
const HOSTILE_PIECES: readonly string[] = [
  [MARKS, HTML, LINKS].flatMap((pieces) => pieces.split(/[|\n]/)),
  [INVISIBLE, CONTROLS, BLANKS, LINES, WORDS],
].flat(2)

/** Generates texts of at most `most` hostile pieces and `others`. */
export const hostileText = (most: number, others: readonly string[] = []): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...HOSTILE_PIECES, ...others), { maxLength: most })
    .map((pieces) => pieces.join(''))
