import { isSuspicious, isTrusted, kindsIn } from '../hosts.ts'
import type { HostKind } from '../hosts.ts'
import type { SafetyMatch, SafetyRule, TextFile } from '../rule.ts'

/** Lines of code that belong together: a script, or a block of a Markdown text. */
interface CodeBlock {
  from: number
  lines: readonly string[]
  text: string
}

/** Most UTF-16 units that are read of a line, and of a block. */
const LINE_LIMIT = 2_000
const BLOCK_LIMIT = 200_000

const takeBlock = ({ lines }: TextFile, from: number, end: number): CodeBlock => {
  const own = lines.slice(from, end).map((one) => one.slice(0, LINE_LIMIT))
  return { from, lines: own, text: own.join('\n').slice(0, BLOCK_LIMIT) }
}

/** The code of a file: a script as one piece, each block of a Markdown text as another. */
const listBlocks = (file: TextFile): CodeBlock[] => {
  if (file.regionOf(0) === 'script') return [takeBlock(file, 0, file.lines.length)]
  const found: CodeBlock[] = []
  for (let at = 0; at < file.lines.length; at += 1) {
    if (file.regionOf(at) !== 'fence') continue
    const from = at
    while (at < file.lines.length && file.regionOf(at) === 'fence') at += 1
    if (at - from > 2) found.push(takeBlock(file, from, at))
  }
  return found
}

const matchIn = (
  { from, lines }: CodeBlock,
  pattern: RegExp,
  butNot?: RegExp,
): SafetyMatch | undefined => {
  for (const [at, text] of lines.entries()) {
    const found = pattern.exec(text)
    if (found && !butNot?.test(text))
      return { line: from + at, start: found.index, length: found[0].length }
  }
  return undefined
}

/** The first line that matches one pattern and has lines that match all others nearby. */
const findSequence = (
  { from, lines }: CodeBlock,
  first: RegExp,
  rest: readonly RegExp[],
  reach: number,
): { match: SafetyMatch; text: string } | undefined => {
  for (const [at, line] of lines.entries()) {
    const found = first.exec(line)
    if (!found) continue
    const text = lines.slice(at, at + reach).join('\n')
    if (rest.every((one) => one.test(text)))
      return { match: { line: from + at, start: found.index, length: found[0].length }, text }
  }
  return undefined
}

/**
 * Whom code speaks to: `shady` where any host is, `unknown` where one is not known; undefined where all are.
 * A host that is named after the skill is trusted with the skill's own task, not with keys of others.
 */
const judgePeers = (
  kinds: readonly HostKind[],
  trustsOwn = true,
): 'shady' | 'unknown' | undefined =>
  kinds.some((kind) => isSuspicious(kind) && kind !== 'hook')
    ? 'shady'
    : kinds.some((kind) => (!isTrusted(kind) && kind !== 'code') || (kind === 'own' && !trustsOwn))
      ? 'unknown'
      : undefined

/** A request that downloads something, in any language. */
const GETS =
  /\b(?:urlopen|urlretrieve|requests\.get|httpx\.get|https?\.get|got|fetch|axios(?:\.get)?|needle|Net::HTTP\.get\w{0,9}|URI\.open|http\.Get|reqwest::\S{0,10}get|DownloadFile|DownloadData|DownloadString|HttpClient|URLDownloadToFileA?|file_get_contents|curl_exec)\s{0,2}\(|\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|Start-BitsTransfer)\s|\.DownloadFile\(|["'](?:curl|wget)["']/i

/** Code that makes a saved file executable or runs it. */
const ARMS =
  /\bchmod(?:Sync)?\b|\bS_I(?:X|E|RWX)\w{2,4}|\b0o?[57][0-7]{2}\b|\.(?:exe|scr|bat|vbs|dll|hta|ps1|jar|msi|bin)\b/i

const STARTS =
  /\b(?:Popen|subprocess\.\w{3,12}|os\.(?:system|startfile|exec\w{1,3}|spawn\w{1,3}|popen)|(?:child_process|cp)\.\w{4,12}|spawn(?:Sync)?|exec(?:File|Sync|FileSync)?|system|popen|shell_exec|passthru|ShellExecute\w{0,3}|exec\.Command|Command::new|Process\.Start|Runtime\.\w{0,12}\(\)\.exec)\s{0,2}\(|\b(?:Start-Process|Invoke-Item|rundll32|cmd \/c|nohup)\b|^\s{0,8}(?:start\s|&\s{0,2}["'$]|["']?[$%~.\w]{0,20}[\\/][\w.\\/$-]{2,60}["']?\s{0,3}(?:&|--?\w|$))/im

/** All environment variables, searched for secrets or copied whole. */
const SWEEPS_ENVIRONMENT =
  /\bfor\b[^\n]{0,60}\bin\s{1,3}os\.environ\b|\bos\.environ\.(?:items|copy)\(|(?<!\.)\bdict\(\s{0,3}os\.environ|\{\s{0,2}\*\*os\.environ|\bObject\.(?:entries|keys|fromEntries|assign)\([^\n]{0,20}process\.env\s{0,3}[,)]|\.\.\.process\.env\b|JSON\.stringify\(\s{0,3}process\.env\s{0,3}[,)]|\bENV\.(?:to_h|each|select|to_a|map)\b|\bos\.Environ\(\)|\b(?:Get-ChildItem|gci|dir|ls)\s{1,3}env:|\bGetEnvironmentVariables\(|\bstd::env::vars\(/i

const NAMES_SECRETS =
  /\b(?:\w{0,12}_)?(?:key|tok(?:en)?|sec(?:ret)?|pass(?:word)?|cred\w{0,8})s?\b/i

/** Data of browsers, wallets and messengers. */
const TAKES_STORES =
  /\b(?:Login Data|Cookies["'/]|cookies\.sqlite|key4\.db|logins\.json|Local Extension Settings|Local State|wallet\.dat|tdata|leveldb)\b|["'/\\]Cookies["']/i

const STORE_OWNER =
  /\b(?:Chrome|Chromium|Brave|Edge|Firefox|Mozilla|Opera|Vivaldi|Discord|Telegram|Exodus|Electrum|Metamask|Ethereum|Bitcoin|Phantom)\b/i

/** Keystrokes, the clipboard and the screen. */
const WATCHES =
  /\bpynput\b|\bkeyboard\.(?:on_press|hook|record|read_event)|\bGetAsyncKeyState\b|\bSetWindowsHookEx\w?\b|\bCGEventTapCreate\b|\biohook\b|\bnode-global-key-listener\b|\bpyperclip\.(?:paste|waitForNewPaste)\(|\bImageGrab\.grab\(|\bmss\.mss\(|\bpyautogui\.screenshot\(|\bpbpaste\b|\bxclip\b[^\n]{0,20}-o\b|\bGet-Clipboard\b|\bscreencapture\s{1,3}-x/i

/** Code that replaces the clipboard, and the address of a coin wallet. */
const SWAPS = /\bpyperclip\.copy\(|\bclipboardy?\.write\w{0,6}\(|\bSet-Clipboard\b/i
const PAYS_TO =
  /\bbc1[a-z0-9]{3}|\(bc1\||\b0x[a-fA-F0-9]{40}\b|\[13\]\[a-km|\b[13][1-9A-HJ-NP-Za-km-z]{25,34}\b|\bT[1-9A-HJ-NP-Za-km-z]{33}\b/

/** Data as it arrives from another machine. */
const LISTENS =
  /\.on\(\s{0,3}["'`](?:message|data|command|cmd|task|exec|run|job)\b|\.onmessage\b|\bon_message\b|\.recv\(|\bReadLine\(\)|\.subscribe\(|\bfgets\(|\.gets\b/i

/** Execution of a command that is not a quoted constant. */
const RUNS_GIVEN =
  /(?<![\w.])(?:exec|execSync|spawn|spawnSync|eval|(?:child_process|cp)\.exec(?:Sync)?|os\.(?:system|popen)|subprocess\.\w{3,12}|popen|system|shell_exec|passthru|Invoke-Expression|iex)\s{0,2}\(?\s{0,2}(?:\[?["'](?:\/bin\/)?(?:ba|z)?(?:sh|cmd|powershell)(?:\.exe)?["'],\s{0,2}\[?["'][-/]\w{1,2}["'],\s{0,2})?[$a-z_][\w.$[\]"']{0,40}(?:\(\))?\s{0,2}[,)\n]|`#\{\w{1,20}\}`/i

/** Settings files that decide which servers an assistant or editor contacts and what it runs. */
const SETTINGS_FILE =
  /\.(?:cursor|claude|codex|gemini|windsurf|openclaw|clawdbot)[\\/"', ]{1,6}(?:mcp|settings(?:\.local)?|config|hooks|openclaw)\.(?:json|toml)|\.claude\.json|\bclaude_desktop_config\.json/i

const WRITES =
  /\bwriteFile(?:Sync)?\(|\bjson\.dump\(|\bwrite_text\(|\.write\(|\bOut-File\b|\bSet-Content\b|\bjq\b[^\n]{0,200}>/i

/** A user's files, encrypted one by one, with the originals deleted. */
const ENCRYPTS =
  /\bFernet\(|\bAES\.new\(|\bcreateCipheriv\(|\bAESGCM\(|\bChaCha20\w{0,9}\(|\bCreateEncryptor\(|\bopenssl\s{1,3}enc\b/i
const WALKS_HOME =
  /(?:os\.walk|rglob|glob|readdir\w{0,4}|Get-ChildItem|find)\b[^\n]{0,60}(?:expanduser|home\(\)|homedir|HOME|~|USERPROFILE|Documents|Desktop|["']\/["'])/i
const REMOVES = /\b(?:os\.(?:remove|unlink)|unlink(?:Sync)?|rmSync|Remove-Item|shred|rm)\b/i

/** Files of secrets, or a whole home folder, packed into one file. */
const BUNDLES =
  /\b(?:tar|zip|7za?|gzip|cp|cat|find|rsync|openssl|sqlite3|env|printenv|git\s{1,3}(?:bundle|archive))\b[^\n]{0,200}?(?:~\/|\$\{?HOME\b|\.env\b|\.ssh\b|\.aws\b|\.config\b|\.git(?:config|-credentials)\b|\benv\b|history|Documents)[^\n]{0,200}/i

/** Names of files in a command. */
const FILE_NAME = /(?:^|[\s>/=@])([\w-]{1,40}\.\w{1,6}|\.\w{1,12})(?=[\s"'`;)]|$)/g

const UPLOADS = /\b(?:curl|wget|nc|scp|rclone|iwr|irm)\b[^\n]{0,300}/g

/** A request that uploads something, in any language. */
const SENDS =
  /\b(?:curl|wget)\b[^\n]{0,200}(?:\s(?:-\w{0,4}[dFT]|-X\s{0,2}(?:POST|PUT)|--data\S{0,10}|--json|--form|--upload-file|--post-\w{4})\b)|\b(?:requests|httpx|axios|session|client|http|got|needle)\.(?:post|put|request|Post|PostForm)\(|\burlopen\(|\burllib\.request\.Request\(|\bhttps?\.request\(|\bfetch\([^\n]{0,200}(?:method|POST|body|,\s{0,3}\{)|\.sendall\(|\bNet::HTTP(?:\.post\w{0,5}|::Post|\.new)|\bhttp\.(?:Post|NewRequest)\w{0,12}\(|\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\b[^\n]{0,200}-(?:Method\s{1,3}["']?(?:Post|Put)|Body|InFile)|\.get\(\s{0,3}["'`]https?:\/\/[^"'`\n]{1,160}(?:[?&]\w{1,12}=["']\s{0,2}\+|[?&]\w{1,12}=\$\{)|\bparams\s{0,2}=\s{0,2}\{|\bUpload(?:String|File|Data|Values)\(|\bsendmail\(|\bftplib\b|\bXMLHttpRequest\b|\bsendBeacon\(|\bnc\s{1,3}[\w.-]{4,60}\s{1,3}\d{2,5}|\bMethod\s{0,2}=\s{0,2}["']POST/i

const FILE_OF_SECRETS =
  /(?:^|[\s"'`(,/\\~])\.(?:ssh|aws|gnupg|netrc|npmrc|pypirc|git-credentials|docker\/config\.json|kube\/config|config\/(?:gcloud|gh|solana)|azure|openclaw|clawdbot|electrum|bitcoin|ethereum|(?:claude|codex|gemini)\/(?:\.credentials|auth|oauth)\S{0,12})(?=["'`\s/\\),;]|$)|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\/etc\/shadow\b/i

/** A line that creates, names or protects such a file without reading it. */
const KEEPS_SECRETS =
  /\b(?:mkdir|chmod|touch|known_hosts|ssh-key\w{3,6}|ssh-add|ssh-copy-id)\b|>{1,2}\s{0,2}["']?[~$\w/{}]{0,20}\.(?:ssh|aws|npmrc|netrc|pypirc)|\s-i\s/

/** A script's read of an environment variable that holds a secret. */
const SECRET_VARIABLE =
  /(?:os\.environ(?:\.get)?[[(]|getenv\(|process\.env(?:\.|\[))\s{0,3}["']?([A-Z][A-Z0-9_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|MNEMONIC)[A-Z0-9_]{0,20})/g

/** A client needs one secret, or two. */
const SECRETS_OF_SEVERAL = 4

/** The secrets that a piece of code reads, if they are more than its task could need. */
const findTaken = (block: CodeBlock): SafetyMatch | undefined => {
  const { text } = block
  const file = matchIn(block, FILE_OF_SECRETS, KEEPS_SECRETS)
  if (file) return file
  if (SWEEPS_ENVIRONMENT.test(text)) {
    const sweep = matchIn(block, SWEEPS_ENVIRONMENT)
    const passedOn = /\benv\s{0,2}[=:]|\benviron\.copy\(\)|\.\.\.process\.env/.test(
      block.lines[(sweep?.line ?? 0) - block.from] ?? '',
    )
    if (sweep && !passedOn && (NAMES_SECRETS.test(text) || !/\bif\b/.test(text))) return sweep
  }
  if (TAKES_STORES.test(text) && STORE_OWNER.test(text)) return matchIn(block, TAKES_STORES)
  const variables = new Set([...text.matchAll(SECRET_VARIABLE)].map(([, name]) => name))
  return variables.size >= SECRETS_OF_SEVERAL
    ? matchIn(block, new RegExp(SECRET_VARIABLE.source))
    : undefined
}

const find =
  (look: (block: CodeBlock, file: TextFile) => SafetyMatch | undefined) =>
  (file: TextFile): SafetyMatch[] =>
    listBlocks(file).flatMap((block) => look(block, file) ?? [])

/** Rules for what code does in several steps, in any language. */
export const FLOW_RULES: readonly SafetyRule[] = [
  {
    id: 'starts-download',
    group: 'Installs and runs',
    severity: 'high',
    where: ['script', 'fence'],
    finds:
      'code that fetches a file from a host that is not a known one, makes a program of it, and starts it',
    says: 'fetches a program and starts it',
    remedy: 'Ship the code with the skill; pin what must be fetched, and check its hash.',
    fooled: 'Installers of small vendors. Steps far apart, or in several files, are not joined.',
    words:
      'chmod|start-bitstransfer|s_ix|s_iexec|s_irwx|0o7|0755|0o5|start-process|startfile|process.start|exec.command|shellexecute|urlretrieve|downloadfile|popen(|spawn(|start "',
    find: find((block, file) => {
      if (!GETS.test(block.text) || !STARTS.test(block.text)) return undefined
      const found = findSequence(block, GETS, [ARMS, STARTS], 30)
      if (!found) return undefined
      const near = kindsIn(found.text, file)
      const peers = judgePeers(near.length > 0 ? near : kindsIn(block.text, file))
      return peers && { ...found.match, severity: peers === 'shady' ? 'high' : 'medium' }
    }),
  },
  {
    id: 'reads-and-sends',
    group: 'Sends away',
    severity: 'high',
    where: ['script', 'fence'],
    finds:
      'code that takes files of credentials, the whole environment, what a browser keeps, or four secrets of different services, and sends to a host that is not a known one',
    says: 'takes secrets, in code that sends to a host elsewhere',
    remedy: 'Split the two, say what is sent, and ask.',
    fooled: 'Clients of small vendors that keep a token in such a file.',
    words:
      '/.ssh|".ssh|\'.ssh|/.aws|".aws|\'.aws|.netrc|.npmrc|.kube/|wallet.dat|login data|/cookies|\\cookies|"cookies|\'cookies|cookies.sqlite|local state|leveldb|.gnupg|id_rsa|id_ed25519|.openclaw|.clawdbot|os.environ|getenv(|process.env|env.to_|env.each|env.select|childitem env:|gci env:|env::vars|environmentvariables|.git-credentials|solana',
    find: find((block, file) => {
      if (!SENDS.test(block.text)) return undefined
      return judgePeers(kindsIn(block.text, file), false) && findTaken(block)
    }),
  },
  {
    id: 'sends-bundle',
    group: 'Sends away',
    severity: 'high',
    where: ['script', 'fence', 'prose'],
    finds:
      'files of secrets or of the home folder put into one file, and that file sent to a host that is not a known one',
    says: 'puts files of the user together, in commands that then send them elsewhere',
    remedy: 'Name the files and the destination, and ask before each upload.',
    fooled: 'Backups to a host of a small vendor.',
    words:
      'tar c|tar -|zip -|rsync |openssl enc|sqlite3 ~|bundle create|printenv|env >|cp -r|cat ~|cat $home|cat .env|find ~|find $home|-exec cat',
    span: 10,
    pattern: BUNDLES,
    judge: (found, { text, file }) => {
      const names = [...found[0].matchAll(FILE_NAME)].map(([, name = '']) => name)
      const rest = text.slice(found.index + found[0].length)
      return [...rest.matchAll(UPLOADS)].some(
        ([sent]) =>
          names.some((name) => sent.includes(name)) && judgePeers(kindsIn(sent, file), false),
      )
        ? 'high'
        : undefined
    },
  },
  {
    id: 'remote-control',
    group: 'Sends away',
    severity: 'high',
    where: ['script', 'fence'],
    finds: 'code that runs as commands what another machine sends over a connection',
    says: 'runs as a command whatever another machine sends',
    remedy: 'Delete it; let nobody send commands.',
    fooled:
      'Agents of tools for remote work. A command that goes through several variables is not followed.',
    words:
      'stream_socket_client|fsockopen|tcpsocket|websocket|.recv(|net.connect|createconnection|socket.io|mqtt|tcpclient|on_message|eventsource',
    find: find((block, file) => {
      const found = findSequence(block, LISTENS, [RUNS_GIVEN], 14)
      return found && judgePeers(kindsIn(block.text, file), false) && found.match
    }),
  },
  {
    id: 'writes-settings',
    group: 'Stays, or widens its rights',
    severity: 'medium',
    where: ['script'],
    finds: 'a script that writes an assistant’s settings and names a host that is not a known one',
    says: 'names an assistant’s settings, in a script that writes them',
    remedy: 'Show the exact lines, and let the user apply them.',
    fooled: 'Installers of servers by small vendors.',
    words:
      'mcp.json|settings.json|settings.local.json|.claude.json|claude_desktop_config|config.toml|openclaw.json',
    find: find((block, file) =>
      WRITES.test(block.text) && judgePeers(kindsIn(block.text, file), false)
        ? matchIn(block, SETTINGS_FILE)
        : undefined,
    ),
  },
  {
    id: 'encrypts-files',
    group: 'Destroys',
    severity: 'high',
    where: ['script'],
    finds: 'a script that enciphers the files below a home folder and removes the originals',
    says: 'enciphers the files of the user, in a script that removes the originals',
    remedy: 'Delete it.',
    fooled: 'Tools for encrypted backups that remove what they saved.',
    words: 'fernet(|aes.new|createcipheriv|aesgcm|chacha20|createencryptor|openssl enc',
    find: find((block) =>
      WALKS_HOME.test(block.text) && REMOVES.test(block.text)
        ? matchIn(block, ENCRYPTS)
        : undefined,
    ),
  },
  {
    id: 'watches-user',
    group: 'Sends away',
    severity: 'high',
    where: ['script', 'fence'],
    finds:
      'code that records keys, the clipboard or the screen, and sends to another machine, or that puts another address of coins into the clipboard',
    says: 'records what the user types, copies or sees, and gives it away or changes it',
    remedy: 'Delete it.',
    fooled: 'Tools for shared clipboards; recordings that are only kept are left out.',
    words:
      'pynput|keyboard.|getasynckeystate|setwindowshook|cgeventtap|iohook|pyperclip|imagegrab|mss.mss|pyautogui|pbpaste|xclip|get-clipboard|screencapture',
    find: find((block, file) => {
      if (SWAPS.test(block.text) && PAYS_TO.test(block.text)) return matchIn(block, SWAPS)
      if (!SENDS.test(block.text)) return undefined
      return judgePeers(kindsIn(block.text, file), false) && matchIn(block, WATCHES)
    }),
  },
]
