import { SETTING_WORDS } from '../settings.ts'
import { HIDDEN_GROUP, ORDERS_GROUP } from './contexts.ts'
import { PACKED } from './opaque.ts'
import { SEVERITIES } from './rule.ts'
import type { RuleRow, SafetyRule } from './rule.ts'
import { KEYS, KEY_WORDS, PRIVATE_KEYS } from './secrets.ts'
import measured from './measured.json' with { type: 'json' }

/** Severity of a command that downloads code, by the kind of host. */
const CODE_FROM = {
  throwaway: 'high',
  other: 'medium',
  none: 'medium',
  trusted: 'medium',
  installer: 'low',
} as const

/** Adds the values that a group shares to its rules. */
const inGroup = (
  group: string,
  advice: string,
  remedy: string,
  rows: readonly RuleRow[],
): SafetyRule[] =>
  rows.map((row) => {
    const used = Object.values(row.in)
    const severity = SEVERITIES.find((level) => used.includes(level)) ?? 'note'
    return { ...row, group, advice, remedy, severity }
  })

const HIDDEN = inGroup(
  HIDDEN_GROUP,
  'Do not install it before you know what the hidden text says.',
  'Delete the hidden text, or write it where everyone can read it.',
  [
    {
      id: 'bidi-characters',
      in: { prose: 'high', code: 'high' },
      finds: 'characters that change the direction of a text',
      says: 'is shown in a different order than it is stored',
      caveat: 'Arabic and Hebrew texts need such characters; their lines have the severity note.',
      words: '\u202A|\u202B|\u202C|\u202D|\u202E|\u2066|\u2067|\u2068|\u2069',
      match: [/[\u202A-\u202E\u2066-\u2069]/],
      unless: [/[\u0590-\u08FF]/],
    },
    {
      id: 'tag-characters',
      in: { prose: 'high', code: 'high' },
      finds:
        'sequences of invisible characters that can spell a text: Unicode tags outside flags, variation selectors, zero-width characters',
      says: 'has invisible text that an assistant reads',
      caveat: 'Texts copied from web pages have zero-width characters; one or two are ignored.',
      words:
        '\uDB40|\u200B\u200B|\u200C\u200C|\u2060\u2060|\uFEFF\uFEFF|\uFE00\uFE00|\uFE01|\uFE02|\uFE03',
      match: [
        /(?<![\u{1F3F4}\u{E0020}-\u{E007F}])[\u{E0001}-\u{E007F}]/u,
        /[\u200B\u200C\u2060-\u2064\uFEFF]{3}|[\uFE00-\uFE0E]{3}|[\u{E0100}-\u{E01EF}]{2}/u,
      ],
    },
    {
      id: 'zero-width-characters',
      in: { prose: 'low', code: 'low' },
      finds: 'zero-width characters inside a text',
      says: 'contains zero-width characters',
      caveat: 'Texts copied from web pages have such characters.',
      words: '\u200B|\u2060|\uFEFF',
      // Scripts without blanks mark the ends of words with U+200B.
      match: [
        /(?<![\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Thai}])\u200B|[\u2060-\u2064]|(?<=.)\uFEFF/u,
      ],
    },
    {
      id: 'hidden-comment',
      in: { comment: 'high' },
      finds:
        'an order to the assistant in an HTML or Markdown comment, near an address, a secret or a request for secrecy',
      says: 'gives the assistant an order in a comment that no page shows',
      caveat: 'Comments in templates for agents; those without address or secret are ignored.',
      words: '<!--|agent|assistant|ignore|disregard|silently|secretly',
      match: [
        /\b(?:agents?|assistants?|claude|ai|llm|model|you)\b[^\n]{0,30}\b(?:must|should|shall|always|need to)\b/i,
        /\b(?:ignore|disregard|forget)\b[^\n]{0,20}\b(?:previous|prior|above|system)\b|\b(?:silently|secretly)\b/i,
      ],
      near: {
        lines: 3,
        match: [
          /https?:\/\/|\.env\b|\.ssh\b|\b(?:tokens?|credentials?|passwords?|secrets?)\b/i,
          /do not (?:tell|mention)|without telling|instructions/i,
        ],
      },
    },
    {
      id: 'hidden-markup',
      in: { prose: 'high', code: 'medium' },
      finds: 'orders in markup that is styled to be invisible',
      says: 'has text that is styled to be invisible',
      caveat: 'Page templates.',
      words: 'display:|font-size:|visibility:',
      match: [
        /style\s?=\s?["'][^"'>]{0,60}(?:display:\s?none|font-size:\s?0(?![.\d])|visibility:\s?hidden)[^>]{0,40}>[^<]{12,200}/i,
      ],
      near: {
        lines: 0,
        match: [/\b(?:must|always|silently|secretly|ignore|send|execute|assistant|agent)\b/i],
      },
    },
    {
      id: 'far-right-text',
      in: { prose: 'medium', code: 'medium' },
      finds: 'text after two hundred spaces, out of sight',
      says: 'continues far to the right, where nobody scrolls',
      caveat: 'Wide tables are ignored.',
      words: ' '.repeat(60),
      match: [/\S\t{0,9} {200,99999}(?! )[^|\s]/],
    },
    {
      id: 'look-alike-letters',
      in: { prose: 'medium', code: 'medium' },
      finds: 'a Cyrillic or Greek letter in a Latin word',
      says: 'has a letter that looks like another, as spoofed names do',
      caveat: 'Cyrillic texts have the severity note.',
      words: 'а|е|о|р|с|у|х|і|ѕ|ј|ο',
      match: [/(?<![\u0370-\u04FF])[аеорсухіѕј][a-z]{2}/, /[a-z]{2}[аеорсухіѕјο][a-z.]/i],
      unless: [
        /[\u0400-\u04FF]{3}/,
        /\b(?:homoglyph|homograph|cyrillic|confusable|look-?alike)s?\b/i,
      ],
    },
  ],
)

/** Words that make a step a requirement. */
const REQUIRES: readonly RegExp[] = [
  /\b(?:must|mandatory|requires?d?|requirements?|pre-?requisites?|needed|necessary|set ?up|install(?:ation)?)\b/i,
  /\bbefore (?:using|you|proceeding|running|any|setting|first)\b|\b(?:will not|won['’]t|does not|cannot) (?:work|run)\b/i,
  /安装|必须|需要|先下载|必要|インストール|설치|필요|установ|требуется|необходим|instala|requisito|erforderlich|prérequis/i,
]

const INSTALLS = inGroup(
  'Installs and runs',
  'Read what it downloads before you let it run, and get the tool from its vendor.',
  'Use a package manager, or ship the code with the skill; otherwise pin a version and check its hash.',
  [
    {
      id: 'prerequisite-download',
      in: { prose: 'high', code: 'medium' },
      ignoresWarnings: true,
      finds: 'a program or archive from elsewhere that the text calls necessary',
      says: 'requires a download from a place that nobody is responsible for',
      caveat: 'Real prerequisites from small vendors.',
      words: '.zip|.rar|.7z|.exe|.msi|.dmg|.pkg|.scr|.iso|.apk|.hta|.lnk|.bat',
      match: [
        /https?:\/\/[^\s"'`<>]{4,200}\.(?:zip|rar|7z|exe|msi|dmg|pkg|scr|iso|apk|hta|lnk|bat)\b(?![\w/-])/i,
      ],
      near: { lines: 4, match: REQUIRES },
      unless: [/\b(?:data(?:set)?s?|fonts?|models?|weights|samples?|images|templates?|docs)\b/i],
      hosts: { throwaway: 'high', other: 'medium' },
    },
    {
      id: 'prerequisite-page',
      in: { prose: 'high' },
      ignoresWarnings: true,
      finds: 'a request to download something from a paste site, free hosting or a bare IP address',
      says: 'asks for a tool or a command from a place that nobody is responsible for',
      caveat: 'Small projects on free hosting.',
      words: '://',
      match: [
        /\b(?:visit|open|go to|download|get|install|copy|run|paste|execute)\b[^\n]{0,80}https?:\/\/[^\s"'`<>)]{4,200}/i,
        /https?:\/\/[^\s"'`<>)]{4,200}[^\n]{0,40}\b(?:copy|paste|run|install|download|execute)\b/i,
      ],
      near: { lines: 4, match: REQUIRES },
      unless: [
        /\b(?:demo|preview|docs|documentation|playground|example|deployed?|dashboard|blog|subdomain)\b/i,
        /\bcopy the [`"']{0,2}https?:\/\/[\w.-]{4,99}[`"']{0,2} (?:URL|address)\b/i,
      ],
      hosts: { throwaway: 'high' },
    },
    {
      id: 'password-archive',
      in: { prose: 'high', code: 'medium' },
      ignoresWarnings: true,
      finds: 'an archive whose password is stated beside it',
      says: 'gives the password of an archive that scanners cannot open',
      caveat: 'Tools for protected files; office documents have the severity note.',
      words:
        'password|passcode|pass:|with pass|using pass|extract using|unzip|7z|unrar|密码|пароль',
      match: [
        /\bextract\w{0,3}\b[^.\n]{0,40}\b(?:with|using)\b[^.\n]{0,8}\bpass(?:word|code)?\b[ :=]{0,3}["'`“*]{0,3}\w/i,
        /\bextract\w{0,3} using:? ?["'`]?\w{3,20}["'`]?\)/i,
        /\b(?:archive|zip|file)s?\b[^.\n]{0,30}\bwith (?:the )?pass(?:word)?\s?:?\s?["'`“]\w{3}/i,
        /(?:\bpass(?:word|code)|密码|пароль)\s?[:：]\s?["'`*]{0,3}[\w!@#-]{2,24}["'`*)]{0,3}(?=[\s.,;)]|$)/i,
        /(?<![-\w])pass:\s?["'`*]{0,3}[\w!@#-]{2,24}["'`*)]{0,3}(?=[.,;)]|$)/i,
        /\bunzip\s[^\n;|]{0,60}-P\s{0,2}["']?[\w!@#]|\b(?:7za?|unrar)\s[xe]\s[^\n;|]{0,80}\s-p["']?[\w!@#]{2}/,
      ],
      near: {
        lines: 3,
        match: [
          /\.(?:zip|rar|7z)\b|\b(?:extract|unzip|unpack|decompress)\w{0,3}\b|\barchive[sd]?\b/i,
        ],
      },
      unless: [
        /\b(?:pdf|xlsx?|docx?|excel|username|login|database|infected|ssh|admin|postgres|mysql|encrypt)\b/i,
      ],
    },
    {
      id: 'pipe-to-shell',
      in: { prose: 'high', code: 'high' },
      finds: 'a download that is run at once',
      says: 'downloads a script and runs it unseen',
      caveat: 'Installers of vendors that the scan does not know.',
      words:
        'curl|wget|iwr http|irm http|iwr "|irm "|iwr -|irm -|invoke-|iex|mshta|regsvr32|msiexec|certutil|bitsadmin|run http|run -|npx http|bunx http|uvx http|node http|python http|python3 http',
      match: [
        /\b(?:curl|wget)\b[^|\n;]{0,300}\|&?\s{0,4}(?:sudo\s(?:-\w\s)?|env\s)?(?:\/\S{0,16}\s?)?(?:ba|z|da|k|fi|a|t?c|pw)?sh\b/i,
        /\b(?:curl|wget)\b[^|\n;]{0,300}\|&?\s{0,4}["']?\$\{?(?:SHELL|BASH|0)\b/,
        /\b(?:curl|wget)\b[^|\n;]{0,300}\|\s{0,4}(?:powershell|cmd)(?:\.exe)?\b/i,
        /^\s{0,9}(?:sudo\s)?["']?(?:\$\(|`)\s{0,3}(?:curl|wget)\s(?!-\w{0,4}[oO])[^\n]{4,200}/,
        /\b(?:deno|bunx?|uvx?|npx|pipx|go|python3?|node)\s(?:run\s|-\S{1,20}\s){0,4}["']?https?:\/\/\S{4,200}/i,
        /\b(?:python3?|node|deno|bun|ruby|perl|php|fish|pwsh)\s[^\n]{0,16}(?:<\(|\$\(|`)\s{0,3}(?:curl|wget)\b[^\n]{0,200}/i,
        /\b(?:curl|wget)\b[^|\n;]{0,300}\|\s{0,4}(?:sudo\s{1,3})?(?:perl|ruby|php)\b(?!\s{1,3}-[cme])/i,
        /\b(?:curl|wget)[^|\n;]{0,300}\|\s{0,4}(?:sudo\s)?(?:python3?|node)\b(?!\s{1,3}-[cme]|\s[\w./][\w./-]{0,60}\.\w\w(?!\S))/i,
        /\b(?:curl|wget)\b[^|\n;`]{4,300}(?:\|[^|\n;`]{2,60}){1,3}\|\s{0,4}(?:sudo\s)?(?:ba|z|da|k)?sh\b/i,
        /(?:\b(?:(?:ba|z|da)?sh|eval|source)|^\s{0,9}\.)\s[^\n]{0,16}(?:<\(|\$\(|`)\s{0,3}(?:curl|wget)\b[^\n]{0,200}/i,
        /\b(?:iwr|irm|curl|invoke-\w{7,12}|downloadstring)\b[^|\n]{0,200}\|\s{0,4}(?:iex|invoke-expression)\b/i,
        /\b(?:iex|invoke-expression)\b[^\n]{0,60}\b(?:iwr|irm|invoke-web\w{1,8}|downloadstring|webclient)\b[^\n]{0,160}/i,
        /\b(?:mshta|regsvr32|msiexec|certutil|bitsadmin)\b[^\n\]()]{0,60}https?:\/\/\S{4,160}/i,
      ],
      mentions: [
        // Inline code, whose backticks are no substitution.
        /^\s{0,9}`(?:curl|wget)\b[^`|]{0,300}`/,
        /^(?:(?!:\/\/)[^|$]){0,300}\b(?:curl|wget)(?:\s-{1,2}\w{1,12}){0,4}\s{0,2}(?:\.{3}|…|<?url>?)?\s{0,2}\|/i,
      ],
      hosts: CODE_FROM,
    },
    {
      id: 'save-and-run',
      in: { prose: 'high', code: 'high' },
      finds: 'a file that is downloaded and, within a few lines, made executable or run',
      says: 'downloads a program and runs it',
      caveat:
        'Command-line tools that vendors publish as files. File names in variables are not recognized.',
      words: 'curl|wget|iwr http|iwr -|urlretrieve',
      span: 12,
      match: [
        /\b(?:curl|wget)\b[^\n|]{0,99}?[\s/]([\w.-]{3,40})["']?\s?[\n&;][^]{0,300}?(?:(?:sh|\+\w?x|thon3?)\s|[^=.]\.\/)\S{0,16}\1/,
        /\b(?:curl|wget|iwr)[^\n|]{0,99}\s-(?:\w{0,4}O|OutFile) ["']?([\w./-]{3,99})(?![\w./-])[^]{0,400}?(?:sh|\+\w?x|\.\/) ?\1/i,
        /\b(?:curl|wget)\b[^\n|;]{0,200}>\s?["']?([\w./-]{1,40})["']?\s?(?:\n|&&|;)[^]{0,200}?(?:sh|x|\.|e|n3?)\s["']?\1\b/,
        /\burlretrieve\([^\n]{1,120},\s?["']([^"'\n]{2,60})["'][^]{0,300}?(?:system|Popen|run|call)\([^\n]{0,40}\1/,
      ],
      unless: [/\b(?:sha\d{3}sum|shasum|gpg\s{1,3}--verify|cosign|minisign)\b/i],
      hosts: {
        throwaway: 'high',
        other: 'medium',
        none: 'low',
        trusted: 'low',
        installer: 'low',
      },
    },
    {
      id: 'run-fetched-code',
      in: { prose: 'high', code: 'high' },
      finds: 'code that is fetched over the network and evaluated',
      says: 'evaluates code that it fetches',
      caveat: 'Code that passes through two variables is not recognized.',
      words: 'exec(|eval(|eval)|new function|runin|requests.get|urlopen|fetch(|axios',
      span: 8,
      match: [
        /\b(?:exec|eval|new Function|runIn\w{1,20})\s?\([^\n]{0,80}\b(?:requests\.get|urlopen|httpx\.get|fetch\(|axios)/i,
        /\b(?:fetch|axios(?:\.get)?)\([^\n]{1,160}\.then\([^\n]{0,120}\b(?:eval|new Function)\b/,
        /\b(\w{1,30})\s?=\s?(?:await )?[^\n=]{0,40}(?:requests\.get|urlopen|fetch)\([^]{0,400}?\b(?:eval|exec|system)\(\s?\1\b/,
      ],
    },
    {
      id: 'obey-fetched-text',
      in: { prose: 'high' },
      finds: 'an order to follow the instructions on another website',
      says: 'makes the assistant obey a text on another website, which can change',
      caveat: 'Prompts that vendors publish; documentation pages have the severity note.',
      words: '://',
      match: [
        /https?:\/\/[^\s)]{4,160}[^\n.]{0,50}\b(?:follow|obey|execute)\b[^.\n]{0,24}\b(?:instructions|commands?)\b/i,
        /https?:\/\/[^\s"'`<>)]{4,160}\W{0,3}\s(?:and|then) (?:follow|obey|execute|apply) (?:it|them|what(?:ever)?)\b/i,
        /\b(?:follow|execute|obey)\b[^.\n]{0,8}\b(?:instructions|commands?)\b[^.\n]{0,9}\bat[^.\n]{0,9}https?:\/\/\S{4,99}/i,
      ],
      unless: [
        /https?:\/\/(?:docs?|developers?|help|support|learn|wiki|cloud|console)\.|\/docs\/|\binstallation\b/i,
      ],
      hosts: { ...CODE_FROM, trusted: 'low' },
    },
    {
      id: 'system-check-off',
      in: { prose: 'medium', code: 'medium' },
      ignoresWarnings: true,
      finds: 'a command that switches off a system check: Gatekeeper, Defender, execution policies',
      says: 'switches off a check that protects the user',
      caveat: 'Unsigned tools of honest vendors; Homebrew tools have the severity note.',
      words: 'xattr|spctl|mppreference|setenforce|amsi|antivirus|defender|smartscreen|gatekeeper',
      match: [
        /\bxattr\s{1,3}-(?:c|cr|rc|d|dr|rd)\b|\bspctl\s{1,3}--(?:master|global)-disable\b|\bsetenforce\s{1,3}0\b/,
        /\b(?:Add|Set)-MpPreference\b[^\n]{0,60}-(?:Exclusion|Disable)|\bamsi(?:Utils|InitFailed)\b/i,
        /\b(?:disable|turn off|pause|deactivate)\b[^.\n]{0,30}\b(?:antivirus|defender|smartscreen|gatekeeper)\b/i,
      ],
      unless: [/\bbrew\b|\b(?:do not|don['’]t|never)\b/i],
    },
    {
      id: 'executable-file',
      in: { file: 'medium' },
      finds: 'a compiled program among the files',
      says: 'is a program that nobody can read',
      caveat: 'Compiled tools that a skill ships.',
      findsPrograms: true,
      match: [/\.pyc$/],
    },
    {
      id: 'opaque-command',
      in: { file: 'medium' },
      finds:
        'an archive, or a program for Java or WebAssembly, that a command names; any other file that is not text and that a command runs, unpacks or pipes',
      says: 'is used by a command, but is not readable text',
      caveat: 'Templates that are unpacked; pictures that a command inspects.',
      findsUsedFiles: true,
      match: [],
    },
    {
      id: 'archive-file',
      in: { file: 'low' },
      finds: 'an archive among the files, which is not scanned',
      says: 'is an archive that the scan does not look into',
      caveat: 'Templates and samples.',
      match: [PACKED],
    },
  ],
)

const CREDENTIALS = inGroup(
  'Credentials',
  'Keep real credentials away from it until you know why it needs them.',
  'Say why it is needed, and read only what is needed: one variable, a sign-in by the user, a key agent.',
  [
    {
      id: 'credential-files',
      in: { prose: 'medium', code: 'medium' },
      finds:
        'a command or an order that reads keys, stored sign-ins, wallets or another program’s secrets',
      says: 'reads credentials of other programs',
      caveat: 'Backups and server set-up. A mere file name is ignored.',
      words:
        'rsync|scp |.gnupg|.kube|.aws|.ssh|id_rsa|.aws/|.netrc|docker/config|git-credentials|login data|keychain|find-generic|find-internet|lsass|mimikatz|wallet.dat|key4.db|logins.json',
      match: [
        /\b(?:cat|cp|tar|zip|base64|scp|head|type|copy)\s[^\n|;]{0,60}\.ssh\/(?:id_\w{2,10}\b(?!\.pub)|\*)/i,
        /\b(?:cat|cp|tar|zip|base64|scp)\s[^\n|;]{0,60}\.(?:aws\/credentials|netrc|docker\/config\.json|git-credentials)\b/i,
        /\b(?:scp|rsync|tar|zip)\s[^\n|;]{0,60}(?:~|HOME\}?)["']?\/\.(?:ssh|aws|gnupg|kube)\/?["']?(?:\s|$)/,
        /\b(?:rsync|scp)\s[^\n|;]{0,40}(?:~|\$\{?HOME\}?)["']?\/?["']?\s[\w.@-]{1,60}:/,
        /\b(?:open|readFile(?:Sync)?|Path)\([^\n]{0,60}\.(?:ssh\/id_\w{2,8}["')]|aws\/credentials|netrc|git-credentials)/i,
        /\b(?:read|collect|copy|scan|access|upload)\b[^.\n]{0,60}(?:\.ssh\b|\bid_rsa\b|\.aws\/credentials|wallet\.dat)/i,
        /["'/\\](?:Login Data|key4\.db|logins\.json|wallet\.dat)["']|\bmimikatz\b(?!["']\s?:)|\blsass(?:\.exe|\.dmp)\b/i,
        /\bsecurity\s{1,3}dump-keychain\b/,
        /\bsecurity\s{1,3}find-internet-password\b[^\n]{0,80}\s-g?w(?!\w{0,2}\s&?>\s?\/dev)/,
        /\bsecurity\sfind-generic-password\b(?=[^\n]{0,90}(?:Safe Storage|credential))[^\n]{0,90}\s-g?w(?!\w{0,2}\s&?>\s?\/dev)/,
      ],
    },
    {
      id: 'keychain-item',
      in: { prose: 'low', code: 'low' },
      finds: 'a command that reads one item of the keychain by its name',
      says: 'reads an item of the keychain',
      caveat: 'Scripts that keep their own key there, which is better than a file.',
      words: 'find-generic',
      match: [/\bsecurity\s{1,3}find-generic-password\b[^\n]{0,90}\s-g?w(?!\w{0,2}\s&?>\s?\/dev)/],
    },
  ],
)

const KEPT_KEYS = inGroup(
  'Keys in the text',
  'Do not use it, and tell its author: whoever reads the skill has the key.',
  'Replace the key at its service, because git keeps the old text. Write `YOUR_KEY` instead. If a registry serves versions with the key, its curator withdraws them: `catalog withdraw`.',
  [
    {
      id: 'secret-value',
      in: { prose: 'high', code: 'high' },
      isSecret: true,
      finds: 'a key of a known service',
      says: 'contains a key that anybody can read',
      caveat: 'Samples that look real. No context lowers the severity.',
      words: KEY_WORDS,
      match: KEYS,
    },
    {
      id: 'private-key',
      in: { prose: 'high', code: 'high' },
      isSecret: true,
      finds: 'a private key',
      says: 'contains a private key that anybody can read',
      caveat: 'Keys that were made for tests. No context lowers the severity.',
      words: 'private key--|private key block--',
      span: 6,
      match: PRIVATE_KEYS,
    },
  ],
)

const SENDS = inGroup(
  'Sends away',
  'Find out what is sent, and to whom, before you use it with anything private.',
  'Say what is sent and to whom, use a host with its own name, and ask the user each time.',
  [
    {
      id: 'throwaway-host',
      in: { prose: 'medium', code: 'medium' },
      finds:
        'a call to a request bin, paste site, tunnel, short link, free hosting or bare address, or an order to send something there',
      says: 'talks to a place that nobody is responsible for',
      caveat: 'The author’s projects on free hosting; servers for testing webhooks.',
      words: '://',
      match: [
        /\b(?:curl|wget|fetch|urlopen|iwr|irm|requests\.\w{3,6}|axios\.?\w{0,6})\b[^\n]{0,120}https?:\/\/\S{4,160}/i,
        /\b\w{0,30}(?:URL|HOOK|ENDPOINT|HOST|SERVER)\w{0,10}["']?\s?[:=]\s?["'`]?https?:\/\/\S{4,160}/i,
        /\b(?:send|forward|upload|post|submit|back ?up|report)s?\b[^\n]{0,120}\bto\b[^\n]{0,80}https?:\/\/\S{4,160}/i,
      ],
      unless: [/\b(?:your|my|project)[-_]|\/\/abc123\b/i],
      hosts: { throwaway: 'high' },
    },
    {
      id: 'sends-output',
      in: { prose: 'high', code: 'high' },
      finds: 'a request whose body contains a file, or the whole environment with all its secrets',
      says: 'sends the whole environment or a file away',
      caveat:
        'Skills whose task is to upload. Passing the environment to a child process is ignored.',
      words:
        'find-generic|find-internet|auth token|auth print|op read|pass show|printenv|env |os.environ|export -p|process.env|$(env|`env|$(cat|`cat|$(hostname',
      match: [
        /\b(?:curl|wget|nc)\b[^\n]{0,160}(?:\$\(\s?|`)(?:env(?! -u)|printenv|cat [~/$]\S{4,60}|hostname)\b[^\n]{0,160}/,
        /\b(?:curl|wget|nc)\b[^\n]{0,160}(?:\$\(\s?|`)security find-\w{7,8}-password\b[^\n]{0,160}/,
        /\b(?:gh auth token|gcloud auth print-\w|op read|pass show)\b[^\n|]{0,80}\|[^\n]{0,40}\b(?:curl|nc|wget)\b[^\n]{0,99}/,
        /\b(?:env|printenv|export -p)\s{0,3}\|[^\n|]{0,40}(?:\|\s?)?\b(?:curl|nc|base64)\b/,
        /\b(?:json|data)\s?=\s?(?:dict\(|json\.dumps\()?(?:dict\()?os\.environ\b(?![.[])/,
        /\b(?:JSON\.stringify\(|body:\s?)\s?process\.env\b(?![.[])|\bjson\.dumps\(\s?(?:dict\()?os\.environ\b(?![.[])/,
      ],
      hosts: {
        throwaway: 'high',
        other: 'medium',
        none: 'medium',
        trusted: 'note',
        installer: 'note',
      },
    },
    {
      id: 'sends-in-words',
      in: { prose: 'high' },
      finds: 'an order to send the conversation, credentials or all messages to an address',
      says: 'makes the assistant send private things to an address',
      caveat: 'Services that openly receive what the user says.',
      words: 'conversation|credential|secret|forward|bcc',
      match: [
        /\b(?:send|forward|upload|post)\b[^.\n]{0,60}\b(?:conversation|credential|secret)s?\b[^\n]{0,60}https?:\/\/\S{4,99}/i,
        /\b(?:forward|bcc|cc)\b[^.\n]{0,24}\b(?:it|them|emails?|messages?|copy)\b[^.\n]{0,12}\bto [\w.+-]{2,30}@\w[\w.-]{2,30}/i,
      ],
      unless: [/@(?:example|your|company|acme)/i],
      hosts: { throwaway: 'high', other: 'medium', none: 'medium' },
    },
    {
      id: 'reads-and-sends',
      in: { prose: 'note', code: 'high' },
      finds: 'a script that names a credentials file and sends something over the network',
      says: 'names a credentials file, and sends something',
      caveat: 'Programs that sign in to the service that the file belongs to.',
      words: '.ssh/id_|aws/credentials|.netrc|bot/.env|claw/.env|git-credentials',
      match: [
        /["'`~/](?:\.ssh\/id_\w|\.aws\/credentials|\.netrc|\.clawdbot\/\.env|\.openclaw\/\.env|\.git-credentials)/,
      ],
      near: {
        lines: 60,
        match: [
          /\b(?:requests\.post|axios\.post|fetch\(|urlopen\(|http\.request|curl\b[^\n]{0,80}\s-(?:d|F|T)\b)/,
        ],
      },
    },
    {
      id: 'reverse-shell',
      in: { prose: 'high', code: 'high' },
      finds: 'a shell that is given to another machine',
      says: 'gives another machine a shell on this machine',
      caveat: 'Lessons about such attacks. Port tests are ignored.',
      words: '/dev/tcp|/dev/udp|nc -|ncat -|dup2|mkfifo|socat|tcpclient',
      match: [
        /\b(?:ba|z)?sh\s{1,3}-i\b[^\n]{0,40}\/dev\/(?:tcp|udp)\/|\/dev\/(?:tcp|udp)\/[^\n]{0,60}(?:0>&1|<&\d)/,
        /\bnc(?:at)?\s[^\n|]{0,60}-\w{0,3}e\s{1,3}\S{0,12}(?:sh|cmd)\b|\bmkfifo\b[^\n]{0,99}\bnc\b|\bsocat\b[^\n]{0,60}exec:/i,
        /\bdup2\(\s?\w{1,12}\.fileno\(\)|\bNet\.Sockets\.TCPClient\b/i,
      ],
    },
    {
      id: 'dns-smuggling',
      in: { prose: 'high', code: 'high' },
      finds: 'data inside a host name that is looked up',
      says: 'sends data away as part of a host name',
      caveat: 'Name server tests.',
      words: 'dig |nslookup|getaddrinfo|gethostbyname|dns.',
      match: [
        /\b(?:dig|nslookup)\s[^\n]{0,40}\$\([^\n]{1,80}\)["']?\.[\w.-]{4}/,
        /\b(?:getaddrinfo|gethostbyname|dns\.(?:resolve|lookup)\w{0,2})\([^\n]{0,12}\{\w{0,20}(?:enc|secret|data|key|token)/i,
      ],
    },
  ],
)

const STAYS = inGroup(
  'Stays, or widens its rights',
  'Decide yourself whether you want this. What it changes can stay after the skill is removed.',
  'Show the exact lines, let the user apply them, and say how to undo it.',
  [
    {
      id: 'scheduled-task',
      in: { prose: 'note', code: 'medium', comment: 'medium' },
      finds:
        'a command that adds a scheduled task, or makes something run when the system or a shell starts',
      says: 'makes something run again later by itself',
      caveat: 'Skills whose task is to schedule; services that are set up openly.',
      words: 'crontab|/etc/cron|launchagents|schtasks|scheduledtask|\\run|>> ',
      match: [
        /\|\s{0,3}(?:sudo\s)?crontab\s{1,3}-(?=[\s"'`;)]|$)|(?:>{1,2}|\btee)\s{0,3}["']?(?:\/etc\/cron|\S{0,60}LaunchAgents\/)/,
        /\b(?:curl|wget|base64|nohup|alias (?:sudo|ssh|git)|python)\b[^\n]{0,99}>>\s{0,3}\S{0,20}\.(?:bash|zsh|\w{0,5}profile)/,
        /\bschtasks(?:\.exe)?\s{1,3}\/create\b|\bRegister-ScheduledTask\b|\b(?:add|Set-ItemProperty)\b[^\n]{0,80}\\Run\b/i,
      ],
      unless: [
        /crontab\s{1,3}-l\s{0,3}\|\s{0,3}(?:sed|grep)|\b(?:schedule[rs]?|cron ?jobs?|daemon|remind\w{0,4})\b/i,
      ],
    },
    {
      id: 'assistant-settings',
      in: { prose: 'low', code: 'low' },
      finds:
        'a command that writes an assistant’s settings, hooks, memory or standing instructions in the home folder',
      says: 'changes what the assistant does in every later task',
      caveat: 'Skills whose task this is. Project files are ignored.',
      words:
        'settings.json|soul.md|heartbeat.md|identity.md|claude.md|mcp.json|config.toml|/.claude/|/.codex/|/.cursor/|/.openclaw/',
      match: [
        />{1,2}\s{0,3}["']?(?:~|\$\{?HOME\}?)\/\.(?:claude|codex|cursor|gemini|openclaw)\/[\w./-]{1,40}\.(?:json|toml|md)\b/,
        />{1,2}\s{0,3}["']?\S{0,40}\b(?:SOUL|HEARTBEAT|IDENTITY)\.md\b/,
        /\b(?:append|write|add|insert|copy)\b[^.\n]{0,60}\b(?:to|into)\b[^.\n]{0,20}\b(?:SOUL|HEARTBEAT|IDENTITY)\.md\b/i,
      ],
    },
    {
      id: 'runs-by-itself',
      in: { settings: 'medium' },
      finds:
        'a hook, an MCP server, a command or a permission in front matter, in a client’s settings or in the manifest of a plugin',
      says: 'makes the assistant run, start or allow something by itself',
      caveat: 'Hooks that only print a reminder.',
      words: SETTING_WORDS,
      match: [/^[^\n:]{1,4000}: [^\n]{1,200}/],
    },
    {
      id: 'hook-command',
      in: { prose: 'medium', code: 'medium' },
      finds: 'an assistant’s hook whose command uses the network',
      says: 'makes the assistant run a network command at every step, without asking',
      caveat: 'Lessons about hooks.',
      words: 'tooluse"|sessionstart"|"stop"|hooks.',
      span: 14,
      match: [
        /\b(?:\w{3,4}ToolUse|SessionStart|Stop)"[^]{0,400}?"command"\s?:\s?"[^"\n]{0,60}\b(?:curl|wget|nc)\b[^\n]{0,160}/,
        /^[\w.-]{0,40}hooks\.[\w.-]{1,80}: [^\n]{0,200}\b(?:curl|wget|nc|fetch|Invoke-\w{7,12})\b[^\n]{0,160}/,
      ],
      hosts: CODE_FROM,
    },
    {
      id: 'approvals-off',
      in: { prose: 'low', code: 'medium' },
      finds: 'a switch that lets an assistant act without asking or outside its sandbox',
      says: 'has a switch that lets an assistant act without asking',
      caveat: 'Scripts that run an assistant in a container have the severity note.',
      words:
        '--dangerously|--yolo|bypasspermissions|autoapprove|alwaysallow|--allow-all-tools|enableallproject|"allow"',
      match: [
        /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--allow-all-tools\b/,
        /\b(?:claude|codex|gemini|copilot)\b[^\n|;]{0,60}\s--yolo\b|["']?\w{4,10}Mode["']?\s?[:=]\s?["']?bypassPermissions/,
        /["']?(?:autoApprove|alwaysAllow|allow)["']?\s?:\s?(?:true\b|\[\s?["']\*["'])|enableAllProjectMcpServers["']?\s?:\s?true/,
      ],
      unless: [/\b(?:docker|container|devcontainer|sandboxed|podman)\b/i],
    },
    {
      id: 'account-access',
      in: { prose: 'low', code: 'medium' },
      finds: 'a key that is authorized to sign in, or administrator rights without a password',
      says: 'gives somebody lasting access to the machine',
      caveat: 'Guides to setting up a server.',
      words: 'chpasswd|authorized_keys|nopasswd|localgroup',
      match: [
        /(?:>{1,2}|\btee\s{1,3}(?:-a\s{1,3})?)\s{0,3}["']?\S{0,60}authorized_keys\b|\bNOPASSWD\s?:\s?ALL\b/,
        /\|\s?(?:sudo\s)?chpasswd\b|\bnet\s{1,3}localgroup\s{1,3}administrators\b[^\n]{0,60}\/add\b/i,
      ],
      // A key without digits, or the reader's own.
      unless: [/\becho ["']?ssh-\w{2,9} AAAA\.\.\.|\bcat ~\/\.ssh\/\w{1,40}\.pub\b/],
    },
    {
      id: 'spreads',
      in: { prose: 'high', code: 'high' },
      finds:
        'an order or a command that changes other skills, or installs skills without a registry',
      says: 'changes other skills, or installs skills without review',
      caveat: 'Vendors’ installers for their own skills; skills that make skills.',
      words: 'other skill|/skills',
      match: [
        /\b(?:copy|append|inject|write|add)\b[^.\n]{0,50}\bto\b[^.\n]{0,12}\b(?:every|all|each)\b[^.\n]{0,16}\bother skills?\b/i,
        /\b(?:curl|wget)\b[^\n]{0,99}https?:\/\/\S{4,99}[^\n]{0,60}\.(?:claude|agents|codex|openclaw)\/[\w/]{0,12}skills\b/,
        /\b(?:curl|wget)\b[^\n]{0,60}\.(?:claude|agents|codex|openclaw)\/[\w/]{0,12}skills\b[^\n]{0,80}https?:\/\/\S{4,99}/,
      ],
      hosts: { throwaway: 'high', other: 'low', none: 'high', trusted: 'note', installer: 'note' },
    },
  ],
)

const DESTROYS = inGroup(
  'Destroys',
  'Run it only on a copy of your files, or in a container.',
  'Name one folder, show what would be deleted, and ask.',
  [
    {
      id: 'delete-everything',
      in: { prose: 'high', code: 'high' },
      finds: 'a command that deletes the whole disk or home folder',
      says: 'deletes everything',
      caveat: 'Lists of forbidden commands; system images.',
      words: 'rm -|mkfs|of=/dev/|rmtree|:()',
      match: [
        /\brm\s{1,3}-\w{0,3}r\w{0,3}\s{1,3}(?:-\S{1,20}\s)?["']?(?:\/|~|\$\{?HOME\}?)["']?\/?\*?["']?(?=\s{0,3}(?:$|[;&|`]))/i,
        /\brm\s(?:-\S{1,20}\s){0,3}--recursive\s(?:-\S{1,20}\s){0,3}["']?(?:\/|~|\$\{?HOME\}?)["']?\/?\*?(?=\s{0,3}(?:$|[;&|`]))/,
        /\bmkfs\.\w{2,5}\s{1,3}\/dev\/|\bdd\s[^\n]{0,60}\bof=\/dev\/(?:sd|nvme|disk)|:\(\)\s?\{\s?:\s?\|\s?:\s?&\s?\};\s?:/,
        /\bshutil\.rmtree\(\s?(?:Path\.home\(\)|os\.path\.expanduser\(["']~\/?["']\)|["']\/["'])/,
      ],
    },
  ],
)

const ORDERS = inGroup(
  ORDERS_GROUP,
  'Do not install it unless you want your assistant to obey this.',
  'Delete it. A skill should say openly what it does for the user, and ask before anything that cannot be undone.',
  [
    {
      id: 'override-instructions',
      in: { prose: 'medium', comment: 'high' },
      finds: 'an order to forget other instructions, a fake system message, a role without rules',
      says: 'tries to put itself above all other instructions',
      caveat: 'Texts about such attacks, which quote them.',
      words:
        'ignore|disregard|forget|system override|system message|system not|system prompt|system update|admin override|admin message|im_start|[inst]|<<sys|developer mode|you are now|god mode|unrestricted|jailbroken',
      match: [
        /\b(?:ignore|disregard|forget)\b[^.\n]{0,12}\b(?:all|any|your|previous|prior|above)\b[^.\n]{0,16}\binstructions\b/i,
        /^\W{0,6}(?:SYSTEM|ADMIN)\s(?:OVERRIDE|MESSAGE|NOTICE|NOTE|PROMPT|UPDATE)\b|<\|im_start\|>\s?system|<<SYS>>|\[INST\]/,
        /\byou are (?:now )?(?:in )?[^.\n]{0,20}\b(?:developer mode|DAN\b|jailbroken|god mode|unrestricted (?:mode|ai))/i,
      ],
      mentions: [
        /^\w{6,9} (?:all|any) (?:embedded|such|injected|hidden|malicious|untrusted)\b/i,
        /^\w{6,9} (?:all|any) (?:other )?instructions (?:that are |which are )?(?:embedded|found|contained|hidden|injected)\b/i,
        /^\w{6,9} (?:all|any) instructions (?:in|from) (?:the |any )?(?:repository |fetched |web )?(?:files|pages?|emails?)\b/i,
      ],
    },
    {
      id: 'hide-from-user',
      in: { prose: 'high' },
      finds: 'an order to do something without the user’s knowledge',
      says: 'makes the assistant hide something from its user',
      caveat: 'Advice on style. Leaving something out of an answer is not a secret.',
      words:
        'mention|reveal|disclose|silently|secretly|covertly|knowledge|knowing|noticing|awareness|being told|being aware|tell the user|tell user|inform the user|inform user|notify the user|notify user|alert the user',
      match: [
        /\b(?:not|don['’]t|never)\s(?:mention|reveal|disclose) (?:this|these|it|them)\b[^.\n]{0,30}\bto (?:the )?user\b/i,
        /\b(?:not|don['’]t|never) (?:tell|inform|notify|alert) (?:the )?user\b[^.\n]{0,9}\b(?:about|of) (?:this|these)\b/i,
        /\b(?:silently|secretly|covertly)\s(?:send|upload|post|forward|transmit|collect|exfiltrate|record|copy)\b/i,
        /\bwithout (?:the )?(?:user|human|owner)['’]?s? (?:knowledge|knowing|noticing|awareness|being (?:told|aware))\b/i,
      ],
    },
    {
      id: 'no-confirmation',
      in: { prose: 'medium' },
      finds: 'an order to send, pay, sign or delete without asking',
      says: 'makes the assistant do something irreversible without asking',
      caveat: 'Skills for unattended runs, which say so openly.',
      words: 'without asking|without confirm|without permission|ask for|wait for',
      match: [
        /\b(?:send|transfer|pay|buy|sell|delete|upload|sign|withdraw)\b[^.\n]{0,40}\bwithout (?:asking|confirm|permission)/i,
        /\b(?:transaction|payment|transfer|trade)s?\b[^.\n]{0,40}\b(?:not|don['’]t|never) (?:ask|wait) for (?:confirm|permi)/i,
      ],
    },
    {
      id: 'guards-off',
      in: { prose: 'medium' },
      finds: 'an order to get around the safeguards of an assistant or a system',
      says: 'makes the assistant get around its safeguards',
      caveat: 'Texts about safeguards; only orders count.',
      words: 'bypass|circumvent|disable|evade|turn off',
      match: [
        /(?:^|[.:;!?*-]\s|\b(?:must|please|then|always)\s)(?:bypass|disable|evade|turn off)\s[\w ]{0,16}\bsafety (?:check|filter)/i,
        /(?:^|[.:;!?*-]\s|\b(?:must|please|then|always)\s)(?:bypass|disable|evade)\s[\w ]{0,16}\b(?:guardrail|content filter)s?\b/i,
        /(?:^|[.:;!?*-]\s|\b(?:must|please|then|always)\s)(?:bypass|disable|turn off)\s[\w ]{0,12}\bsecurity (?:check|warning)/i,
      ],
    },
    {
      id: 'covers-tracks',
      in: { prose: 'medium', code: 'high' },
      finds: 'a command that wipes the command history or the system’s logs',
      says: 'wipes the traces of what was done',
      caveat: 'Build logs are ignored.',
      words: 'history -c|histfile|wevtutil|clear-eventlog|_history|/var/log',
      match: [
        /\bhistory\s-c\b|\bunset\sHISTFILE\b|\bHISTFILE=\/dev\/null|\bwevtutil(?:\.exe)?\scl\b|\bClear-EventLog\b/,
        /(?:\brm\b|\bshred\b|>)[^\n;]{0,40}(?:\.(?:ba|z)sh_history\b|\/var\/log\/(?:auth|syslog|wtmp|secure|\*))/,
      ],
    },
  ],
)

const DISGUISED = inGroup(
  'Disguised code',
  'Do not run it before you have read the decoded text.',
  'Ship readable code.',
  [
    {
      id: 'decode-and-run',
      in: { prose: 'high', code: 'high' },
      finds: 'code that is decoded and run at once, or through one variable',
      says: 'decodes something and runs it',
      caveat: 'Lessons about such attacks.',
      words: 'base64|b64|b85|fromhex|atob|a2b_|decompress|powershell',
      span: 8,
      match: [
        /\bbase64\s{1,3}-{1,2}[dD]\w{0,6}\b[^\n|]{0,40}\|\s{0,3}(?:sudo\s)?(?:\/\S{0,16})?(?:(?:ba|z|da)?sh|python3?)\b/,
        /\b(?:exec|eval|loads)\s?\([^\n]{0,60}(?:b64decode|b85decode|fromhex|decompress|atob|a2b_\w{3,7}|,\s?["']base64)/,
        /\bpowershell(?:\.exe)?\s[^\n]{0,60}\s-e(?:nc\w{0,12}|c)?\s{1,2}[A-Za-z0-9+/]{20}/i,
        /\b(\w{1,30})\s?=\s?[^\n]{0,60}(?:b64decode|b85decode|atob|fromhex)\([^]{0,400}?\b(?:exec|eval|system|run)\(\s?\1\b/,
      ],
    },
    {
      id: 'encoded-command',
      in: { prose: 'high', code: 'high' },
      finds: 'base64 that decodes to a command or to a bare IP address',
      says: 'hides a command in base64',
      caveat: 'Lessons about such attacks.',
      words: 'Y3Vyb|d2dld|L2Jpb|YmFza|IyEv|c3Vkb|aHR0c|aW1wb|cHl0aG|ZXhlY|ZXZhb|cG93ZX',
      decodes: true,
      match: [
        /\b(?:curl|wget|bash|powershell|iex|Invoke-\w{3,12}|nc|rm -rf|python3?)\s\S/i,
        /\/dev\/tcp\/|\bos\.system\b|\bsubprocess\b|\bexec\(|\beval\(|https?:\/\/\d|\bIEX\b/,
      ],
    },
    {
      id: 'packed-code',
      in: { prose: 'note', code: 'medium' },
      finds: 'code that was made unreadable on purpose',
      says: 'was made unreadable',
      caveat: 'Minified libraries.',
      words: '_0x|\\x|fromcharcode',
      match: [
        /\b_0x[0-9a-f]{4,6}\b[^\n]{0,40}\b_0x[0-9a-f]{4,6}\b|\bfromCharCode\((?:\s?\d{2,3},){8}/,
        /\\x[0-9a-f]{2}\\x[0-9a-f]{2}\\x[0-9a-f]{2}\\x[0-9a-f]{2}\\x[0-9a-f]{2}\\x[0-9a-f]{2}\\x[0-9a-f]{2}\\x[0-9a-f]{2}/i,
      ],
    },
  ],
)

const UNREAD = inGroup(
  'Not scanned',
  'Read the part that was not scanned.',
  'Split a long text into files that a person can read, and leave out packed files.',
  [
    {
      id: 'not-scanned',
      in: { file: 'medium' },
      finds:
        'code or Markdown beyond the limits of the scan: the first and last 512 KiB of a file, 100,000 columns of a line, and a bound on the work for one skill',
      says: 'was not scanned beyond this place',
      caveat: 'Packed libraries; pictures inside a text.',
      match: [],
    },
  ],
)

/** The rule for parts that are not scanned. */
export const [NOT_SCANNED] = UNREAD as [SafetyRule]

/** All scan rules, in the order of the documentation. */
export const SAFETY_RULES: readonly SafetyRule[] = [
  ...HIDDEN,
  ...INSTALLS,
  ...CREDENTIALS,
  ...KEPT_KEYS,
  ...SENDS,
  ...STAYS,
  ...DESTROYS,
  ...ORDERS,
  ...DISGUISED,
  ...UNREAD,
]

const BY_ID = new Map(SAFETY_RULES.map((rule) => [rule.id, rule]))

/** Returns the rule with an id; throws if there is none. */
export const ruleOf = (id: string): SafetyRule => {
  const rule = BY_ID.get(id)
  if (!rule) throw new Error(`no rule ${id}`)
  return rule
}

/** How many skills of each labelled set the rules marked Review, and the day of the measurement (`bench:safety`). */
export const MEASUREMENT = measured

/** Attacks that static rules cannot detect; published with the rules. */
export const BLIND_SPOTS: readonly string[] = [
  'Instructions that are plausible and wrong: a check that is weakened, a step that is left out.',
  'Things that are harmless now and change later: a linked page, a package, an MCP server or a script.',
  'Behaviour that is split over files or steps, or waits for a time, a user, a host or a file name.',
  'Names: a package whose name looks like the name of a popular package.',
  'Intent: a backup and a theft can be the same line. Text in pictures, PDFs, archives and programs, which are only listed. Most prose in languages other than English.',
  'An author who knows the rules: variables, concatenated strings, or a heading “Never do this” above the command, which makes the finding on the page look less severe. New wordings: the rules often miss sentences that nobody foresaw.',
]
