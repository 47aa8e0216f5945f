import { HIDDEN_CHARACTERS, hasHidden } from './text.ts'
import type { Finding } from './skill.ts'

/** One thing that wants a human's eye; every pattern is linear and looked for line by line. */
interface SafetyRule {
  rule: string
  message: string
  /** Words of which every place holds one, where looking for them costs less than the pattern. */
  needs?: readonly string[]
  pattern: RegExp
}

const DOWNLOADERS = ['curl', 'wget']

/** The rules of the scan, in the order they are reported. */
export const SAFETY_RULES: readonly SafetyRule[] = [
  {
    rule: 'pipe-to-shell',
    message: 'downloads a script and runs it unseen',
    needs: DOWNLOADERS,
    pattern: /\b(?:curl|wget)\b[^|\n]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b/,
  },
  {
    rule: 'download-and-run',
    message: 'downloads code into an interpreter',
    needs: DOWNLOADERS,
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

/** The rules with a test of a whole text: most files meet no rule, and it keeps their scan to one pass each. */
const TESTED_RULES = SAFETY_RULES.map(({ rule, message, needs, pattern }) => ({
  rule,
  message,
  needs,
  pattern,
  anywhere: new RegExp(pattern.source, `${pattern.flags}m`),
}))

type TestedRule = (typeof TESTED_RULES)[number]

/**
 * Rules that are looked for all at once before each is looked for alone, which costs half. One pattern has one
 * set of flags, so there are two of them; those that need a word, or have a quicker look, are in none.
 */
const GROUPS = [{ ignoreCase: true }, { ignoreCase: false }].map(({ ignoreCase }) => {
  const rules = TESTED_RULES.filter(
    ({ pattern, needs }) =>
      pattern.ignoreCase === ignoreCase && needs === undefined && pattern !== HIDDEN_CHARACTERS,
  )
  const source = rules.map(({ pattern }) => pattern.source).join('|')
  return { rules, any: new RegExp(source, ignoreCase ? 'im' : 'm') }
})

const mayHold = (text: string, { needs, pattern }: TestedRule): boolean =>
  (needs === undefined || needs.some((word) => text.includes(word))) &&
  (pattern !== HIDDEN_CHARACTERS || hasHidden(text))

const listMet = (text: string): TestedRule[] => {
  const unmet = new Set(GROUPS.flatMap(({ rules, any }) => (any.test(text) ? [] : rules)))
  return TESTED_RULES.filter(
    (rule) => !unmet.has(rule) && mayHold(text, rule) && rule.anywhere.test(text),
  )
}

/** Places reported per rule and file; the rest say no more. */
const PLACES_PER_RULE = 3

/** Longest line that is scanned; of a longer one the rest is not looked at. */
export const SCANNED_LINE = 20_000

/**
 * Scans one text file of a skill and says what wants a human's eye, with rule, file and line.
 * It never says that a skill is safe: nothing found is only that.
 */
export const scanText = (file: string, text: string): Finding[] => {
  const met = listMet(text)
  const lines = met.length > 0 ? text.split('\n') : []
  return met.flatMap(({ rule, message, pattern }) => {
    const places = lines.flatMap((line, index) =>
      pattern.test(line.slice(0, SCANNED_LINE)) ? [index + 1] : [],
    )
    return places.slice(0, PLACES_PER_RULE).map((line) => ({ rule, file, line, message }))
  })
}
