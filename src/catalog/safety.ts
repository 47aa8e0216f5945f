import { HIDDEN_CHARACTERS, decodeLoosely, hasHidden } from './text.ts'
import type { Finding, SkillFile } from './skill.ts'

/** A pattern that a person should look at; each is matched line by line, in linear time. */
interface SafetyRule {
  rule: string
  message: string
  pattern: RegExp
}

/** The rules of the scan, in the order they are reported. */
export const SAFETY_RULES: readonly SafetyRule[] = [
  {
    rule: 'pipe-to-shell',
    message: 'downloads a script and runs it unseen',
    pattern: /\b(?:curl|wget)\b[^|\n]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b/,
  },
  {
    rule: 'download-and-run',
    message: 'downloads code into an interpreter',
    pattern:
      /\b(?:ba|z)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(?:curl|wget)\b|\b(?:curl|wget)\b[^|\n]{0,300}\|\s*(?:python3?|node|perl|ruby)\b/,
  },
  {
    rule: 'powershell-download',
    message: 'downloads a script into PowerShell',
    pattern:
      /\b(?:iwr|irm|Invoke-(?:WebRequest|RestMethod))\b[^|\n]{0,300}\|\s*(?:iex|Invoke-Expression)\b/i,
  },
  {
    rule: 'delete-everything',
    message: 'deletes from the root or the home folder',
    pattern:
      /\brm\s+-[a-qs-zA-QS-Z]*[rR][a-zA-Z]*\s+(?:-\S+\s+){0,20}["']?(?:\/(?:\s|\*|$)|~\/?(?:\s|\*|$)|\$HOME\b\/?(?:\s|\*|$))/,
  },
  {
    rule: 'decode-and-run',
    message: 'runs something it decodes first',
    pattern:
      /\bbase64\s+(?:-d|-D|--decode)\b[^|\n]{0,200}\|\s*(?:ba|z|da)?sh\b|\beval\s*\(\s*atob\s*\(/,
  },
  {
    rule: 'hidden-characters',
    message: 'holds characters that show nothing or reorder the text',
    pattern: HIDDEN_CHARACTERS,
  },
  {
    rule: 'hidden-comment',
    message: 'holds a comment that a rendered page would hide',
    pattern: /<!--/,
  },
  {
    rule: 'hidden-text',
    message: 'holds markup that hides its text',
    pattern: /<[^>\n]{0,200}\b(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0)/i,
  },
  {
    rule: 'live-markup',
    message: 'holds markup that would run in a page',
    pattern: /<(?:script|iframe|object|embed)\b/i,
  },
  {
    rule: 'script-address',
    message: 'holds an address that runs code',
    pattern: /\]\(\s*(?:<\s*)?(?:javascript|vbscript|data)\s*:/i,
  },
  {
    rule: 'override-instructions',
    message: 'tells an assistant to set other instructions aside',
    pattern:
      /\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier|system)\s+(?:instructions?|prompts?|rules|messages)\b/i,
  },
  {
    rule: 'hide-from-user',
    message: 'asks to keep something from the user',
    pattern:
      /\b(?:do\s+not|don['’]t|never)\s+(?:tell|inform|mention\s+(?:this|it)\s+to|reveal\s+(?:this|it)\s+to|notify|alert)\s+the\s+user\b/i,
  },
  {
    rule: 'skip-permissions',
    message: 'switches an assistant’s permission checks off',
    pattern:
      /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo\b|\bbypassPermissions\b/,
  },
  {
    rule: 'credential-files',
    message: 'reads or names files that hold credentials',
    pattern:
      /~\/\.ssh\/(?!config\b)|\bid_(?:rsa|ed25519)\b|~\/\.aws\/credentials|\/etc\/shadow\b|\.netrc\b/,
  },
  {
    rule: 'secret-value',
    message: 'holds what looks like a real secret',
    pattern:
      /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bghp_[A-Za-z0-9]{36}\b|\bsk-[A-Za-z0-9_-]{32,}\b|\bxox[abpr]-[0-9A-Za-z-]{20,}/,
  },
  {
    rule: 'root-rights',
    message: 'asks for administrator rights',
    pattern: /(?:^|[\s`;&|(])sudo\s+[a-z./]/,
  },
  {
    rule: 'all-commands-allowed',
    message: 'asks for the right to run any command',
    pattern: /^allowed-tools:.*\bBash\(\s*\*\s*\)/,
  },
]

const anyOf = (flags: string): RegExp => {
  const rules = SAFETY_RULES.filter(({ pattern }) => pattern.flags === flags)
  return new RegExp(rules.map(({ pattern }) => pattern.source).join('|'), `${flags}m`)
}

const [PLAIN, IGNORING_CASE] = [anyOf(''), anyOf('i')]

/**
 * Tests of a whole text for all rules whose patterns have the same flags. Most files meet no rule, and are scanned
 * in two thirds of the time that a test for each rule takes.
 */
const ANYWHERE: Readonly<Record<string, (text: string) => boolean>> = {
  '': (text) => PLAIN.test(text),
  i: (text) => IGNORING_CASE.test(text),
  [HIDDEN_CHARACTERS.flags]: hasHidden,
}

/** Findings per rule and file; more would say nothing new. */
const PLACES_PER_RULE = 3

/** Characters of a line that are scanned. */
export const SCANNED_LINE = 20_000

/**
 * Finds what a person should look at in one text file of a skill.
 * That nothing is found does not make a skill safe.
 */
export const scanText = (file: string, text: string): Finding[] => {
  const met = Object.keys(ANYWHERE).filter((flags) => ANYWHERE[flags]?.(text))
  if (met.length === 0) return []
  const lines = text.split('\n')
  return SAFETY_RULES.flatMap(({ rule, message, pattern }) => {
    if (!met.includes(pattern.flags)) return []
    const places = lines.flatMap((line, index) =>
      pattern.test(line.slice(0, SCANNED_LINE)) ? [index + 1] : [],
    )
    return places.slice(0, PLACES_PER_RULE).map((line) => ({ rule, file, line, message }))
  })
}

/** Text files worth scanning; in others a scan finds only noise. */
const SCANNED = /\.(?:md|txt|sh|bash|zsh|ps1|py|js|mjs|cjs|ts|rb|pl|json|ya?ml|toml)$/i

/** Largest file that is scanned, in bytes. */
const SCAN_LIMIT = 1024 * 1024

/** Scans the text files of a skill for what wants a human's eye. */
export const scanFiles = (
  folder: string,
  files: readonly SkillFile[],
  read: (folder: string, path: string) => Buffer,
): Finding[] =>
  files
    .filter((file) => SCANNED.test(file.path) && file.size <= SCAN_LIMIT)
    .flatMap((file) => scanText(file.path, decodeLoosely(read(folder, file.path))))
