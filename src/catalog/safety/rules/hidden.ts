import { HIDDEN_GROUP as group, MARKDOWN_COMMENT } from '../contexts.ts'
import { ADDRESS, isSuspicious, isTrusted, judgeHost, readAddress, linesAround } from '../hosts.ts'
import { ALL_REGIONS, PROSE_REGIONS } from '../rule.ts'
import type { SafetyMatch, SafetyRule, TextFile } from '../rule.ts'

/** Text that an assistant would take as an order: who must do what, or what must be kept secret. */
const ORDER =
  /\b(?:you (?:must|should|will|need to|are (?:now|to))|(?:assistant|agent|ai|model|llm|claude|copilot|codex|gpt)s?\b[^.\n]{0,40}\b(?:must|should|shall|will|needs? to|ha(?:s|ve) to|please)|(?:ai|llm|system|assistant|agent)[ -]?(?:instructions?|prompt|note|override|directive)s?\b|ignore (?:all|any|previous|prior|the above)|disregard|do not (?:tell|mention|reveal|inform|show|disclose|display|ask)|don['’]t (?:tell|mention|reveal|inform|show|disclose|ask)|never (?:tell|mention|reveal|inform|disclose)|without (?:telling|asking|informing|mentioning)|silently|secretly|quietly|does(?: not|n['’]t) need to know|keep (?:it|this|that) (?:secret|quiet|hidden)|keep quiet|say nothing|(?:run|execute)s?\b[^\n]{0,60}\b(?:first|prior to|before|on every load)|before (?:answering|responding|doing anything)|always (?:run|send|include|execute|fetch|call|post|upload))\b/i

/** Words that address an assistant, or have it run a command. */
const ADDRESSED =
  /\b(?:when|if|once)\b[^\n]{0,60}\b(?:agent|assistant|model|llm|claude|ai)\b|^\s{0,20}(?:ai|agents?|assistants?|claude|llms?|models?|copilot|codex|gpt|system)\b[^\n]{0,20}[:,—-]|\b(?:run|call|execute|use)\b[^\n]{0,30}`(?:curl|wget|bash|sh|python3?|node|npx|iwr|powershell)\b/i

/** What makes an order serious: secrets, other places, commands. */
const GRAVE =
  /\b(?:fetch|curl|wget|get|post|put|send|load|download|visit|open|call|request|follow|obey|run|execute|install|import|use|from|to|with)\b[^\n.]{0,60}https?:\/\/(?!(?:www\.)?(?:github|example|w3|schema)\.)|\b(?:curl|wget|send|post|upload|exfiltrat\w{0,5}|forward|e-?mail)\b[^\n]{0,80}\b(?:to|via)\b|\.ssh\b|\.env\b|\b(?:api[_ -]?keys?|passwords?|secrets?|credentials?|private keys?|tokens?)\b[^\n]{0,60}\b(?:to|include|output|print|read|send|append)\b|(?:do not|don['’]t|never) (?:tell|mention|reveal|inform|disclose|show)|silently|secretly|quietly|does(?: not|n['’]t) need to know|keep (?:it|this|that) secret|keep quiet|say nothing|without (?:telling|asking|informing)|\b(?:rm -rf|ignore (?:all|any|previous))/i

/** Comments that tools write for themselves. */
const TOOL_COMMENT =
  /^\s{0,20}(?:prettier|eslint|markdownlint|textlint|vale|doctoc|toc|start|end|begin|cspell|alex|remark|spdx|copyright|license|auto-?generated|generated|do not edit|_class|_\w{1,20}:|more|all-contributors|readme|badges?|region|endregion|omit|source:|\/|todo|fixme|note to (?:editors?|maintainers?|authors?|self)|example|template|placeholder|optional|replace|insert|fill|add|describe)\b/i

const findComments = ({ text, lines }: TextFile): { text: string; start: number }[] => {
  const found: { text: string; start: number }[] = []
  // Ends are not searched for from each beginning: many comments without an end would take quadratic time.
  let lineStart = 0
  for (const line of text.includes(']: ') ? lines : []) {
    const start = lineStart
    lineStart += line.length + 1
    const label = MARKDOWN_COMMENT.exec(line)
    if (label) found.push({ text: line.slice(label[0].length), start: start + label[0].length - 4 })
  }
  for (let at = text.indexOf('<!--'); at >= 0 && found.length <= lines.length;) {
    const end = text.indexOf('-->', at + 4)
    const stop = end < 0 ? text.length : end
    found.push({ text: text.slice(at + 4, stop), start: at })
    at = end < 0 ? -1 : text.indexOf('<!--', stop)
  }
  return found
}

/** Longest comment that is read. */
const COMMENT_LIMIT = 4_000

const findHiddenOrders = (file: TextFile): SafetyMatch[] => {
  let line = 0
  let lineStart = 0
  return findComments(file).flatMap(({ text, start }): SafetyMatch[] => {
    for (let next = file.text.indexOf('\n', lineStart); next >= 0 && next < start;) {
      line += 1
      lineStart = next + 1
      next = file.text.indexOf('\n', lineStart)
    }
    if (file.regionOf(line) !== 'comment') return []
    const said = text.slice(0, COMMENT_LIMIT)
    const order =
      TOOL_COMMENT.test(said) && !GRAVE.test(said)
        ? null
        : (ORDER.exec(said) ?? ADDRESSED.exec(said))
    if (!order) return []
    // A hint for people who fill in a template is visible in the source that they edit.
    if (!GRAVE.test(said)) return []
    const above = said.slice(0, order.index).split('\n')
    const at = line + above.length - 1
    const column = above.length === 1 ? start - lineStart + 4 + order.index : above.at(-1)!.length
    return [{ line: at, start: column, length: order[0].length, severity: 'high' }]
  })
}

const rootOf = (host: string): string => host.split('.').slice(-2).join('.')

/** Well-known names, and the hosts that belong to them. */
const BRANDS: Readonly<Record<string, RegExp>> = {
  openclaw: /(?:^|\.)openclaw\.(?:ai|dev|com|org)$|^openclaw\.github\.io$/,
  clawhub: /(?:^|\.)clawhub\.(?:ai|com|biz)$/,
  clawdbot: /(?:^|\.)clawd\.?bot$|(?:^|\.)clawdbot\.com$/,
  moltbot: /(?:^|\.)molt\.?bot$/,
  anthropic:
    /(?:^|\.)anthropic\.(?:com|skilljar\.com)$|^anthropic(?:s)?\.(?:github\.io|skilljar\.com|statuspage\.io)$/,
  claude: /(?:^|\.)claude\.(?:ai|com)$|(?:^|\.)claude-code\.\w+$/,
  openai: /(?:^|\.)openai\.(?:com|org|azure\.com|fm)$|^openai\.github\.io$/,
  chatgpt: /(?:^|\.)chatgpt\.com$/,
  github:
    /(?:^|\.)github(?:\.(?:com|io|dev|blog|community|app)|status\.com|next\.com|assets\.com|usercontent\.com|copilot\.com)$/,
  metamask: /(?:^|\.)metamask\.(?:io|github\.io)$/,
  binance: /(?:^|\.)binance\.(?:com|us|vision|org|info|cloud)$|(?:^|\.)bnbstatic\.com$/,
  coinbase: /(?:^|\.)coinbase\.com$/,
  polymarket: /(?:^|\.)polymarket\.(?:com|us)$/,
  docker: /(?:^|\.)docker\.(?:com|io|internal)$|(?:^|\.)dockerstatic\.com$/,
  microsoft:
    /(?:^|\.)microsoft(?:\.com|online\.com|onlineonline\.com|edge\.com|store\.com)$|microsoftonline\.(?:com|us)$|^microsoft\.github\.io$/,
  paypal: /(?:^|\.)paypal(?:objects)?\.com$/,
  npmjs: /(?:^|\.)npmjs\.(?:com|org)$/,
}

const INSTALL_NEAR =
  /\b(?:install|download|installer|setup|require[sd]?|prerequisite|curl|wget|iwr|update|extract|login|log in|sign in)\b/i

const SCRIPTS = String.raw`\p{Script=Cyrillic}\p{Script=Greek}`
const MIXED = new RegExp(
  `https?:\\/\\/[^\\s/]{0,60}[${SCRIPTS}][^\\s/]{0,60}|(?:^|[\\s"'\`=/|;&(])(?:[a-z][a-z0-9_.-]{0,30}[${SCRIPTS}]{1,3}[a-z0-9_.-]{1,30}|[${SCRIPTS}]{1,2}[\\u200B-\\u200D\\u2060]{0,2}[a-z][a-z0-9_.-]{2,30})(?=$|[\\s"'\`=/|;&):,.])`,
  'gu',
)

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

const decodeBase64 = (run: string): string => Buffer.from(run, 'base64').toString('latin1')

/** A command or an address in readable text. */
const COMMAND_INSIDE =
  /\b(?:curl|wget|iwr|irm|invoke-\w{7,10}|bash|\/bin\/sh|powershell|python3?|iex|nc)\b[^]{0,200}(?:https?:\/\/|\/dev\/tcp|-c\b|\s-e)|^https?:\/\/[\x21-\x7e]{8,}$/i

/** Rules for what a reader of the page cannot see but an assistant can. */
export const HIDDEN_RULES: readonly SafetyRule[] = [
  {
    id: 'bidi-characters',
    group,
    severity: 'high',
    where: ALL_REGIONS,
    finds: 'characters that reverse the order of text (U+202A to U+202E, U+2066 to U+2069)',
    says: 'is shown in another order than it is read by a program',
    remedy:
      'Remove the control characters, and ask why the text was to look different from what it is.',
    fooled: 'Texts in Arabic or Hebrew use them rightly; beside such letters they count little.',
    beyondAscii: true,
    pattern: /[\u202A-\u202E\u2066-\u2069]/,
    judge: (_, { text }) =>
      RIGHT_TO_LEFT.test(text) ? ['low', 'beside right-to-left letters'] : 'high',
  },
  {
    id: 'tag-characters',
    group,
    severity: 'high',
    where: ALL_REGIONS,
    finds: 'letters of the invisible alphabet at U+E0000, outside of the flags of regions',
    says: 'holds letters that nobody sees and every assistant reads',
    remedy: 'Delete them; the quotation shows what they spell.',
    fooled: 'Nothing known: flags of regions are recognized.',
    beyondAscii: true,
    pattern: /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,12})[\u{E0001}-\u{E007F}]+/u,
  },
  {
    id: 'variation-selectors',
    group,
    severity: 'medium',
    where: ALL_REGIONS,
    finds: 'two or more variation selectors in a row, which can carry bytes',
    says: 'holds invisible characters that can carry a text',
    remedy: 'Delete them.',
    fooled: 'Rare forms of Chinese characters use a single one, which is not counted.',
    beyondAscii: true,
    pattern: /[\u{E0100}-\u{E01EF}]{2,}|[\uFE00-\uFE0E]{3,}/u,
    judge: ([run]) => (run.length >= 16 ? 'high' : 'medium'),
  },
  {
    id: 'zero-width-characters',
    group,
    severity: 'low',
    where: ALL_REGIONS,
    finds:
      'characters of no width, or soft hyphens; many at once can carry bytes, and one splits a word from a scan',
    says: 'holds characters of no width',
    remedy: 'Delete them.',
    fooled: 'Text that was copied from web pages has single ones, which count little.',
    beyondAscii: true,
    pattern:
      /[\u200B\u2060-\u2064\u206A-\u206F]{4,}|(?:[\u200D\u200B\u200C\u2060-\u2064][^\u200D\u200B\u200C\u2060-\u2064]{0,3}){12}|(?<=[a-z])[\u00AD\u200B-\u200D\u2060-\u2064\uFEFF](?=[a-z])|(?<!^)\uFEFF|[\u061C\u180E\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F]/iu,
    judge: ([run]) => (run.length >= 4 ? 'high' : 'low'),
  },
  {
    id: 'hidden-comment',
    group,
    severity: 'high',
    where: ['comment'],
    finds: 'an HTML comment that orders an assistant to send, hide, fetch or read something',
    says: 'orders an assistant in a comment that a rendered page does not show',
    remedy: 'Put the instruction where a reader sees it, or delete it.',
    fooled:
      'An order in other words is not seen. Hints in templates are left out unless they name secrets, commands or addresses.',
    words: '<!--|[//]:|[comment]:|[_]:|[#]:|[~]:',
    find: findHiddenOrders,
  },
  {
    id: 'hidden-markup',
    group,
    severity: 'high',
    where: ['prose', 'table', 'config'],
    finds: 'markup that hides its text, and in that text an order',
    says: 'orders an assistant in markup that hides its text',
    remedy: 'Remove the hidden text.',
    fooled: 'Only styles inside the tag itself are read.',
    words:
      'left:-|left: -|indent:-|indent: -|top:-|top: -|height:0|height: 0|display:|display :|visibility:|font-size:|opacity:|color:| hidden|<font',
    span: 4,
    pattern:
      /<\w{1,12}[^>]{0,200}(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|font-size\s{0,3}:\s{0,3}[01](?:px|pt|em|rem|%)?\s{0,3}[;"']|opacity\s{0,3}:\s{0,3}0\s{0,3}[;"']|(?:left|top|text-indent)\s{0,3}:\s{0,3}-\d{3,5}|(?:max-)?height\s{0,3}:\s{0,3}0(?:px)?\s{0,3}[;"']|color\s{0,3}:\s{0,3}(?:white|#fff|#(?:f[c-f]){3}|transparent)\b|\ssize\s{0,2}=\s{0,2}["']?0\b|\scolor\s{0,2}=\s{0,2}["']?(?:white|#fff(?:fff)?)\b|\shidden(?=[\s>]))[^>]{0,200}>([^<]{25,600})/i,
    judge: ([, words = '']) =>
      ORDER.test(words) || ADDRESSED.test(words) || GRAVE.test(words) ? 'high' : undefined,
  },
  {
    id: 'far-right-text',
    group,
    severity: 'medium',
    where: ALL_REGIONS,
    finds: 'text behind 200 or more blanks on its line',
    says: 'sets text where no reader scrolls to',
    remedy: 'Read the end of the line; move the text to the margin or delete it.',
    fooled: 'Wide tables are left out.',
    words: `${' '.repeat(80)}|${'\t'.repeat(30)}`,
    pattern: /(?<= {199}[ \t]|\t{30})[^\s|]/,
    judge: (_, { region }) => (region === 'table' ? undefined : 'medium'),
  },
  {
    id: 'far-down-text',
    group,
    severity: 'medium',
    where: ALL_REGIONS,
    finds: 'text behind 40 or more empty lines',
    says: 'sets text where no reader scrolls to',
    remedy: 'Read the end of the file; close the gap.',
    fooled: 'Nothing known; empty lines at the end of a file are left out.',
    words: '\n'.repeat(41),
    find: (file) => {
      let empty = 0
      for (const [line, text] of file.lines.entries()) {
        if (text.trim() === '') empty += 1
        else if (empty >= 40) return [{ line, start: 0, length: text.length }]
        else empty = 0
      }
      return []
    },
  },
  {
    id: 'link-mismatch',
    group,
    severity: 'high',
    where: PROSE_REGIONS,
    finds: 'a link whose words name one host and whose target is another',
    says: 'names one host and leads to another',
    remedy: 'Follow the true target only.',
    fooled:
      'Only names of known hosts, and targets on free hosting, paste sites and the like, are told.',
    words: '](http|](<http',
    pattern:
      /(?<!!)\[[`*]{0,3}((?:https?:\/\/)?[a-z0-9.-]{3,60}\.[a-z]{2,12}(?:\/[^\]\s]{0,100})?)[`*]{0,3}\]\(<?(https?:\/\/[^\s)>]{4,200})/i,
    judge: ([, words = '', target = ''], { file }) => {
      const named = readAddress(/^https?:/i.test(words) ? words : `https://${words}`)
      const real = readAddress(target)
      if (!named || !real || rootOf(named.host) === rootOf(real.host)) return undefined
      // Only a well-known name deceives; most others are names of files and functions.
      const isTrustedName = judgeHost(named) === 'known' || /^https?:/i.test(words)
      return isTrustedName && isSuspicious(judgeHost(real, file.names)) ? 'high' : undefined
    },
  },
  {
    id: 'look-alike-host',
    group,
    severity: 'medium',
    where: ALL_REGIONS,
    finds: 'an address whose host bears the name of a well-known product and does not belong to it',
    says: 'names a host that looks like that of a known product and is not its own',
    remedy: 'Install and sign in at the vendor’s own address only.',
    fooled:
      'Sites of fans and plug-ins; only beside words of installing does it count, and most on free hosting.',
    words: Object.keys(BRANDS)
      .map((brand) => `${brand}`)
      .join('|'),
    pattern: ADDRESS,
    judge: ([url], place) => {
      const { file, text } = place
      const address = readAddress(url)
      if (!address) return undefined
      const { host } = address
      const brand = Object.keys(BRANDS).find(
        (one) => host.includes(one) && !BRANDS[one]!.test(host),
      )
      if (brand === undefined || host.split('.').length > 4) return undefined
      const kind = judgeHost(address, file.names)
      if (kind === 'sample' || kind === 'known' || kind === 'local' || kind === 'own')
        return undefined
      if (!isSuspicious(kind)) {
        return kind === 'unknown' &&
          /\b(?:download|install|installer|setup)\b/i.test(text) &&
          place.region !== 'config'
          ? 'medium'
          : undefined
      }
      return INSTALL_NEAR.test(text) || place.region !== 'prose' ? 'high' : 'low'
    },
    isFirm: true,
  },
  {
    id: 'look-alike-letters',
    group,
    severity: 'medium',
    where: ALL_REGIONS,
    finds: 'Cyrillic or Greek letters inside a Latin word of a command or an address',
    says: 'holds letters that look like others',
    remedy: 'Type the name anew.',
    fooled: 'Mathematics and units with Greek letters are mostly left out.',
    beyondAscii: true,
    pattern: MIXED,
    judge: ([word], { text, file, line }) => {
      // Only letters that look Latin deceive; µs, Δx and Russian words do not.
      const twins = /[аеорсухіјѕһԁԛԝԍΑΒΕΖΗΙΚΜΝΟΡΤΥΧονАВЕКМНОРСТХ]/u.test(word)
      const isRussian = /[\p{Script=Cyrillic}\p{Script=Greek}]{4}/u.test(text)
      const isLesson =
        /cyrillic|greek|homo?glyph|confusab|punycode|unicode|look-?alike|U\+0|キリル|西里尔|кирилл/i.test(
          linesAround(file, line, 2),
        )
      return twins && !isRussian && !isLesson ? 'medium' : undefined
    },
  },
  {
    id: 'encoded-command',
    group,
    severity: 'high',
    where: ALL_REGIONS,
    finds: 'base64 that decodes to a command with an address',
    says: 'hides a command in an encoding',
    remedy: 'Decode it before anything else; do not run it.',
    fooled: 'Texts about attacks show such samples. Other encodings are not decoded.',
    // `curl`, `wget`, `http`, `bash` and `/bin` in base64, at each of its three offsets where that is long enough.
    words:
      'Y3VybC|N1cmwg|jdXJsI|d2dldC|dnZXQg|3Z2V0I|aHR0c|h0dHA|odHRw|YmFzaC|L2Jpbi|9iaW4v|vYmluL',
    pattern: /(?<![A-Za-z0-9+/;,])[A-Za-z0-9+/]{24,3000}={0,2}/g,
    judge: ([run], { text }) => {
      if (/data:[\w/+.-]{3,40};base64,[A-Za-z0-9+/]{0,10}$/i.test(text.slice(0, text.indexOf(run))))
        return undefined
      const decoded = decodeBase64(run)
      const address = readAddress(decoded)
      if (address && isTrusted(judgeHost(address))) return undefined
      return COMMAND_INSIDE.test(decoded) ? 'high' : undefined
    },
  },
]
