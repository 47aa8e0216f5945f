import { ADDRESS, TRUST_REASON, isShady, isTrusted, judgeHost, readAddress } from '../hosts.ts'
import type { Address, HostKind } from '../hosts.ts'
import { COMMANDS, SPOKEN, rankJudgement } from '../rule.ts'
import type { Judgement, Place, SafetyMatch, SafetyRule, TextFile } from '../rule.ts'

const group = 'Installs and runs'

interface JudgedAddress {
  kind: HostKind
  address: Address
  url: string
}

const judgeAddresses = (text: string, file: TextFile): JudgedAddress[] =>
  [...text.matchAll(ADDRESS)].slice(0, 20).flatMap(([url]) => {
    const address = readAddress(url)
    return address ? [{ url, address, kind: judgeHost(address, file.names) }] : []
  })

/** The host of a download that is written without a scheme. */
const BARE_HOST =
  /\b(?:curl|wget|iwr|irm)\s{1,4}(?:-{1,2}[\w-]{1,30}\s{1,4}){0,6}["']?((?:[a-z0-9-]{1,40}\.){1,4}[a-z]{2,12}(?:\/[^\s"'|)]{0,200})?)(?=["'\s|)])/i

/** The addresses that the variables of a command were given in the lines above it. */
const resolveVariables = (
  command: string,
  { file, line }: Pick<Place, 'file' | 'line'>,
): string => {
  const above = file.lines
    .slice(Math.max(0, line - 20), line + 1)
    .map((one) => one.slice(0, 300))
    .join('\n')
  if (!above.includes('://')) return ''
  return [...new Set([...command.matchAll(/\$\{?(\w{1,30})/g)].map(([, name = '']) => name))]
    .slice(0, 4)
    .map((name) => {
      const given = String.raw`(?:^|[\s;$])${name}\s{0,3}=\s{0,3}["']?(https?:\/\/[^\s"';]{4,200})`
      return new RegExp(given, 'm').exec(above)?.[1] ?? ''
    })
    .join(' ')
}

/** What code from an address is worth: nothing where its owner is clear, most where nobody can be held to it. */
const judgeSource = (text: string, place: Pick<Place, 'file' | 'line' | 'region'>): Judgement => {
  const { file, region } = place
  const bare = BARE_HOST.exec(text)?.[1]
  const command = text.includes('://')
    ? text
    : bare
      ? `https://${bare}`
      : resolveVariables(text, place)
  const [first] = judgeAddresses(command, file)
  // Without an address: a variable, or words about such commands.
  if (!first) {
    if (/\$\{?\w|\$\(|%\w{1,30}%/.test(text)) return ['low', 'from an address in a variable']
    return region === 'prose' || region === 'table' ? undefined : ['low', 'without an address']
  }
  const { kind, address } = first
  if (isTrusted(kind))
    return kind === 'own' || kind === 'known' ? ['low', TRUST_REASON[kind] ?? ''] : undefined
  return (isShady(kind) && kind !== 'odd') || (address.isPlain && kind !== 'code')
    ? 'high'
    : 'medium'
}

const DOWNLOAD = String.raw`\b(?:curl|wget)\b(?:[^|\n;&]|\|\||&(?!&)){0,300}`
const RUNNER = String.raw`(?:sudo\s{1,4}(?:-\w\s{1,4}){0,2})?(?:env\s{1,4}(?:\w{1,30}=\S{0,40}\s{1,4}){0,3})?(?:\/usr)?(?:\/bin\/|\/usr\/bin\/env\s{1,4})?(?:ba|z|da|k|a)?sh\b`
const PROSE_ORDER =
  /\b(?:run|execute|install|paste|use|type|enter|copy|start|launch|via|with|by|command|terminal)\b|[：:]\s{0,3}`|^\s{0,8}`|执行|运行|安装/i

/** A command that prose names in passing is no order to run it. */
const inProse = (judgement: Judgement, { region, text }: Place, at: number): Judgement =>
  judgement !== undefined &&
  region === 'prose' &&
  /\w/.test(text.slice(0, at)) &&
  !PROSE_ORDER.test(text.slice(Math.max(0, at - 100), at))
    ? ['low', 'named in passing']
    : judgement

/** Words that make something a condition of the rest. */
const REQUIRES =
  /\b(?:must(?: first)? (?:be |have |also )?(?:install|download|run|have|obtain|get|set ?up|extract)\w{0,5}|mandatory|(?:is|are) (?:also |strictly )?(?:required|needed|necessary)|required?s?\b|requirements?|needs? \S{2,40} (?:to be )?(?:installed|running|present)|isn['’]t (?:active|running|installed)|powered by|prerequisites?|before (?:you |using|running|starting|any|proceeding|use|the skill|this skill|first|installing|doing|continuing|setup)|need(?:s|ed)? (?:to (?:be )?(?:install|download|run|have|get)\w{0,4}|the|a|an)\b|(?:will|you(?:['’]ll)?) need\b|won['’]?t (?:work|function|run|respond|answer|start)|(?:will|does|do|can)\s?not (?:work|function|run|operate|sign)|cannot (?:work|function|run|operate|sign|be used)|without (?:this|it|the|[A-Z]\w{2,30})|make sure|ensure|first (?:install|download|run|step)|step (?:1|one)|depends on|relies on|essential|to (?:use|enable|activate|unlock|get started|function|begin)|not (?:found|installed|detected)|missing|important|setup|set up|obligatorio|imprescindible|requisitos?|necesari[oa]|necesita|antes de|obrigatóri[oa]|pré-requisitos?|necessári[oa]|erforderlich|voraussetzung\w{0,3}|benötigt|bevor|zuerst|obligatoire|prérequis|nécessaire|avant (?:de|d['’]|toute?))\b|安装|安裝|必须|必須|需要|前置|先下载|обязательн|требуется|требования|необходим|перед (?:началом|использованием|запуском)|не работает|сначала|前提|必要|インストール|필수|설치|먼저/iu

/** The same, said so that no reader takes it for advice. */
const INSISTS =
  /\b(?:must|mandatory|required?|requires|requirements?|prerequisites?|before (?:using|you|running|calling|the first|first|use|starting|activating)|needs? \S{2,40} (?:to be )?(?:installed|running|present)|first use|won['’]?t work|(?:not|cannot) (?:work|function|run|operate)|without (?:it|this)|depends on|relies on|will need|you(?:['’]ll)? need|needs? (?:the|a|to be)|needed|necessary|ensure|make sure|missing|not (?:found|installed)|obligatorio|imprescindible|requisitos?|necesari[oa]|antes de (?:usar|empezar)|obrigatóri[oa]|pré-requisitos?|necessári[oa]|erforderlich|voraussetzung\w{0,3}|benötigt|obligatoire|prérequis|nécessaire)\b|必须|必須|需要|前置|обязательн|требуется|требования|необходим|перед (?:началом|использованием|запуском)|до первого|使用前|не работает|首次|前提|必要|필수|먼저|해야/iu

const FETCHES =
  /\b(?:download(?:s|ed|ing|able)?|install(?:s|ed|er|ing|ation)?|extract(?:ed)?|unzip|unpack|get (?:it|the)|grab|obtain|get|double-click|fetch|visit|open|launch|run|execute|desc[aá]r\w{2,10}|ejec\w{2,8}|inst[aá]l\w{1,8}|baix[ae]\w{0,3}|execut\w{1,4}|herunterladen|installier\w{1,4}|télécharg\w{1,6}|exécut\w{1,4})\b|下载|下載|安装|安裝|运行|скача|установ|запуст|распаку|ダウンロード|インストール|実行|다운로드|설치|실행/iu

/** To install or to download, in other languages than English. */
const ABROAD_INSTALL =
  /\b(?:desc[aá]rg\w{1,6}|inst[aá]l[aeo]\w{0,6}|baix[ae]\w{0,3}|herunterladen|installier\w{1,4}|télécharg\w{1,6})\b|下载|下載|安装|安裝|скача|установ|ダウンロード|インストール|다운로드|설치/iu

/** Ready programs and archives of them. */
const PROGRAM =
  /\.(?:zip|rar|7z|exe|msi|dmg|pkg|scr|iso|bat|cmd|ps1|vbs|jar|apk|app|deb|rpm|appimage|hta|lnk|command|tar\.gz|tgz|sh)(?:[?#]|$)/i

const HARMLESS_PROGRAM = /\.(?:tar\.gz|tgz|deb|rpm|sh|jar|ps1|appimage)(?:[?#]|$)/i

/** A password that is told: `password: 1234`, `with pass "abc"`, `the password is abc`. */
const PASSWORD =
  /(?<![$\w.])(?:pass(?:word|wd|code|phrase|key)\b[^\n=!]{0,24}?(?:[:：]\s{0,3}|\s=\s|\bis\s{1,3}|["'`“*]{1,3})|pass\s{0,3}(?:[:：]|=(?!=)|\bis\b)|(?<=(?:with|using|by|the|archive|zip|key|[(|,;:–—-])\s{1,3})pass\s{0,3}(?=["'`“])|pwd?\s{0,2}[:：]|(?:密码|密碼|口令|пароль|contraseña|senha|passwort|kennwort|mot de passe|パスワード|비밀번호)\s{0,2}(?:архива\s{0,2})?(?:[:：]|是|为|為|[-–—]|es\s|is\s|ist\s))\s{0,3}["'`“*]{0,4}[A-Za-z0-9!@#$%_.-]{3,40}/i

/** Lines around an address that belong to it. */
const REACH = 4

const around = ({ lines }: TextFile, line: number, reach = REACH): string =>
  lines
    .slice(Math.max(0, line - reach), line + reach + 1)
    .map((one) => one.slice(0, 500))
    .join('\n')

/** The commands of package managers, whose packages have a name and a page. */
const PACKAGE_MANAGER =
  /\b(?:brew|apt(?:-get)?|dnf|yum|pacman|winget|choco|scoop|npm|pnpm|yarn|pip3?|pipx|uv|cargo|go|gem|conda|snap|flatpak|apk|composer|dotnet|nix-env|port)\s{1,3}(?:install|add|get|i|tool|global|-S|cask|pip)\b/i

/** Stores whose files belong to an account. */
const NAMED_STORE =
  /(?:google|dropbox|dropboxusercontent|live|1drv|yandex|yadi|terabox|wetransfer)\./

/** What is downloaded without being run. */
const IS_DATA =
  /\b(?:data(?:sets?)?|weights|checkpoints?|corpus|corpora|samples?|csv|images|photos|fonts|models?|templates?|slides|spreadsheets?)\b/i

/** A repository whose owner is called like it, as projects with a house of their own are. */
const isProjectsOwn = ({ path }: Address): boolean => {
  const [owner = '', repository = ''] = path
    .split('/')
    .slice(1, 3)
    .map((one) => one.toLowerCase().replace(/[^a-z0-9]/g, ''))
  return repository.length >= 4 && (owner === repository || owner.startsWith(repository))
}

const judgePrerequisite = (file: TextFile, line: number, found: JudgedAddress): Judgement => {
  const { kind, address } = found
  // Most addresses; looking around each would cost more than all other rules.
  if (kind === 'sample' || kind === 'local' || (isTrusted(kind) && !PROGRAM.test(address.path)))
    return undefined
  const near = around(file, line)
  const own = around(file, line, 1)
  // A ready program from where nobody answers for it asks for no word of duty.
  const isReady = /\.(?:exe|msi|dmg|pkg|scr|iso|hta|lnk|vbs|bat|command)(?:[?#]|$)/i.test(
    address.path,
  )
  if (isReady && (isShady(kind) || (kind === 'code' && /\/raw\//.test(address.path)))) return 'high'
  if (
    PROGRAM.test(address.path) &&
    ['files', 'short', 'paste', 'bare'].includes(kind) &&
    /\b(?:run|launch|execute|start|double-click|open)\b[^\n]{0,40}(?:\.(?:exe|msi|dmg|pkg|bat|cmd|app)\b|installer|setup)/i.test(
      own,
    )
  )
    return 'high'
  if (!FETCHES.test(own) || !REQUIRES.test(near)) return undefined
  const isProgram = PROGRAM.test(address.path)
  const hasPassword =
    PASSWORD.test(near) && /\.(?:zip|rar|7z)\b|extract|archive|unzip|unpack/i.test(near)
  if (hasPassword && (isProgram || kind !== 'known') && !/pdf|xlsx?|docx?/i.test(own)) return 'high'
  switch (kind) {
    case 'bare':
    case 'paste':
    case 'sink':
    case 'tunnel':
      return 'high'
    case 'files':
    case 'short': {
      if (kind === 'files' && !NAMED_STORE.test(address.host) && !IS_DATA.test(own))
        return INSISTS.test(near) || isProgram ? 'high' : 'medium'
      if (!isReady && IS_DATA.test(own)) return undefined
      const isOffered = /\b(?:download|install|extract|unzip|run|execute|launch)\b/i.test(own)
      return isProgram || (isOffered && (kind === 'short' || INSISTS.test(near)))
        ? 'high'
        : undefined
    }
    case 'free':
    case 'odd': {
      // Pages on free hosting are everywhere; a tool that the skill cannot do without is something else.
      const isTool =
        (ABROAD_INSTALL.test(own) ||
          (/\b(?:download and install|install(?:er|ed|ation)?|setup wizard|complete (?:its|the) setup|download|extract|unzip|get (?:it|the)|Get [A-Z]\w{2,30}|grab)\b/i.test(
            own,
          ) &&
            /\b(?:cli|utility|tool|helper|agent|driver|client|app|application|core|provider|wizard|launcher|installer|connector|bridge|runtime|desktop|extension|package|software|binary|executable|component|module|service|plugin|program|engine|host|it|here|link)\b/i.test(
              own,
            ))) &&
        INSISTS.test(around(file, line, 2))
      if (PACKAGE_MANAGER.test(own) || !(isProgram || isTool)) return undefined
      return isProgram || kind === 'free' ? 'high' : 'medium'
    }
    case 'code':
      if (
        !isProgram ||
        HARMLESS_PROGRAM.test(address.path) ||
        !/\/(?:releases|raw|archive|blob)\//.test(address.path)
      )
        return undefined
      if (/\/archive\//.test(address.path) || PACKAGE_MANAGER.test(near)) return undefined
      if (isProjectsOwn(address)) return undefined
      return /\b(?:extract|unzip|unpack|run|open|launch|execute|double-click)\b/i.test(own)
        ? 'high'
        : 'medium'
    case 'unknown':
      if (!isProgram || HARMLESS_PROGRAM.test(address.path) || PACKAGE_MANAGER.test(near))
        return undefined
      return address.isPlain ? 'high' : 'medium'
    default:
      return undefined
  }
}

const graver = (a: Judgement, b: Judgement): Judgement =>
  rankJudgement(b) < rankJudgement(a) ? b : a

const judgeAll = (
  text: string,
  place: Place,
  judge: (one: JudgedAddress) => Judgement,
): Judgement => judgeAddresses(text, place.file).map(judge).reduce(graver, undefined)

/** Something that is copied from a page and pasted into a shell. */
const PASTE =
  /\b(?:cop(?:y|ies|ying)|past(?:e|ing)|grab)\b[^]{0,120}?\b(?:command|script|snippet|code|line|it|text)\b[^]{0,120}?\b(?:terminal|powershell|cmd|command prompt|console|run dialog|shell|win\s?\+\s?r|run it|execute)\b|\b(?:copy|grab)\b[^]{0,60}?\b(?:terminal|shell|powershell|install\w{0,7}) (?:command|script|line)\b[^]{0,60}?\b(?:paste|run|execute)\b|\b(?:past(?:e|ing)|run|execute)\b[^]{0,140}?\b(?:in|into)\b[^]{0,30}?\b(?:terminal|powershell|command prompt|run dialog|console)\b|\b(?:terminal|powershell|command prompt)\b[^]{0,80}?\b(?:paste|run)\b[^]{0,60}?\b(?:command|script|code|snippet|line)\b|win(?:dows)?(?: key)?\s?\+\s?[rx]\b[^]{0,80}?\bpaste\b/i

const judgePaste = (_: unknown, place: Place): Judgement => {
  const near = around(place.file, place.line, 2)
  const kinds = judgeAddresses(near, place.file)
  if (/win(?:dows)?(?: key)?\s?\+\s?[rx]\b/i.test(place.text) && /\bpaste\b/i.test(place.text))
    return 'high'
  if (kinds.some(({ kind }) => kind === 'paste' || kind === 'bare' || kind === 'short'))
    return 'high'
  if (!/\b(?:visit|go to|open|navigate|page|site|link|here|from|below|at|snippet)\b/i.test(near))
    return undefined
  if (kinds.some(({ kind }) => isShady(kind) && kind !== 'odd' && kind !== 'hook')) return 'high'
  if (
    /\b(?:verif(?:y|ication)|captcha|human)\b/i.test(place.text) &&
    kinds.some(({ kind }) => kind !== 'known' && kind !== 'local' && kind !== 'sample')
  )
    return 'high'
  const isOther = kinds.some(({ kind }) => kind === 'unknown' || kind === 'odd' || kind === 'code')
  const isFromPage =
    /\b(?:visit|go to|open|navigate|head (?:over )?to|from)\b[^\n]{0,160}https?:/i.test(near)
  // A command that stands here comes from no page.
  const isHere = /\b(?:below|following)\b|[:：]\s{0,3}`/i.test(place.text)
  return isOther && isFromPage && !isHere && /\bcopy\b/i.test(near) ? 'medium' : undefined
}

/** Whether an archive's password is stated beside it: a lock that keeps scanners out and readers in. */
const judgePassword = (_: unknown, place: Place): Judgement => {
  if (/\w\s{0,3}[=!]==?|\b(?:if|const|let|var|def|return)\b/.test(place.text)) return undefined
  const near = around(place.file, place.line, 3)
  if (
    !/\b(?:extract(?:ed|ing)?|unzip|unpack|decompress|archive|unarchive|unrar|7-?zip|winrar|extra(?:iga|er|ia)|descompri\w{1,4}|entpack\w{1,3}|extrai\w{1,4})\b|\.(?:zip|rar|7z)\b|解压|解壓|распаку|архив|解凍|압축/iu.test(
      near,
    )
  )
    return undefined
  if (
    /\b(?:pdf|xlsx?|docx?|pptx?|excel|workbook|database|zipfile|extractall|protected files?|encrypt|user(?:name)?s?|login|account|postgres|mysql|redis)\b/i.test(
      near,
    )
  )
    return undefined
  const isFetched = judgeAddresses(near, place.file).some(
    ({ kind }) => kind !== 'known' && kind !== 'sample',
  )
  return isFetched || /\bdownload/i.test(near) ? 'high' : 'medium'
}

/** A file name that is saved, and then run. */
const SAVED =
  /\b(?:curl|wget)\b[^\n|]{0,300}?\s(?:-o|-O|--output|--output-document|>)\s{0,3}["']?([^\s"'|;&]{1,120})|\b(?:curl\s[^\n|]{0,200}?-\w{0,6}O|wget)\b[^\n|;&]{0,200}?\/([\w.-]{2,80})["']?(?=\s|$|;|&)|\b(?:iwr|invoke-webrequest|start-bitstransfer|downloadfile)\b[^\n|]{0,300}?(?:-outfile|-destination|,)\s{0,3}["']?([^\s"'|;&)]{1,120})|\burlretrieve\([^,\n]{1,200},\s{0,3}["']([^"'\n]{1,120})|\bopen\(\s{0,3}["']([^"'\n]{2,120})["'],\s{0,3}["']wb["']\)\.write\([^\n]{0,40}\b(?:requests\.get|urlopen)\(/i

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const judgeSaved = (found: RegExpExecArray, place: Place): Judgement => {
  const saved = (found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5] ?? '').replace(
    /^.*[/\\]/,
    '',
  )
  if (
    saved.length < 2 ||
    saved === '-' ||
    saved === 'null' ||
    /\.(?:json|txt|md|csv|png|jpe?g|html?|ya?ml|gpg|asc|key|pdf|mp[34]|wav|toml|xml|gz|xz|deb)$/i.test(
      saved,
    )
  )
    return undefined
  const rest = place.text.slice(found.index + found[0].length)
  if (/\.(?:tgz|tar|zip|7z|rar|tar\.\w{2,3})$/i.test(saved)) {
    const isRun =
      /\b(?:tar|unzip|7z|unrar|expand-archive)\b[^]{0,200}?(?:^|[\s;&|])(?:sudo\s{1,3})?(?:(?:ba|z)?sh\s{1,3}|\.\/|start\s|start-process\s)[\w./-]{2,80}/im.test(
        rest,
      )
    const isNameless = judgeAddresses(found[0], place.file).some(({ kind }) => isShady(kind))
    if (isRun && isNameless) return 'high'
  }
  const name = escapePattern(saved)
  const runs = new RegExp(
    String.raw`(?:\bchmod\s{1,3}(?:-R\s{1,3})?(?:[ugoa]{0,4}\+x|[0-7]{3,4})\s[^\n;]{0,80}${name}|(?:^|[\s;&|(])(?:sudo\s{1,3})?(?:ba|z|da)?sh\s{1,3}(?:-\w\s{1,3})?[^\s;]{0,60}${name}|(?:^|[\s;&|"'])(?:\./|/tmp/|\$env:temp\\)${name}|\b(?:python3?|node|perl|ruby|open|start-process|start|msiexec|installer|cmd /c|os\.\w{4,9}\(|subprocess\.\w{3,16}\()\s{0,3}[^\n;]{0,40}${name})`,
    'im',
  )
  if (!runs.test(rest)) return undefined
  // From a vendor this is the better way: saved, it can be read.
  return judgeAddresses(found[0], place.file).some(({ kind }) => isTrusted(kind))
    ? undefined
    : judgeSource(found[0] + place.text.slice(found.index + found[0].length).split('\n')[0], place)
}

const findsPrerequisites = (file: TextFile): SafetyMatch[] => {
  const found: SafetyMatch[] = []
  for (const [line, text] of file.lines.entries()) {
    if (!text.includes('://')) continue
    for (const one of judgeAddresses(text.slice(0, 4_000), file)) {
      const judged = judgePrerequisite(file, line, one)
      if (judged === undefined) continue
      // A command in a block is for the rules of commands.
      if (file.regionOf(line) === 'fence' && /[|;&]/.test(text) && !/^\s*#/.test(text)) break
      const [severity, context] = typeof judged === 'string' ? [judged, undefined] : judged
      found.push({ line, start: text.indexOf(one.url), length: one.url.length, severity, context })
      break
    }
  }
  return found
}

/** What brings code from elsewhere, or has a person bring it. */
export const INSTALL_RULES: readonly SafetyRule[] = [
  {
    id: 'prerequisite-download',
    group,
    severity: 'high',
    where: [...SPOKEN, 'fence'],
    finds:
      'a tool without which the skill is said not to work, from free hosting, a paste site, a bare address or as a ready program of somebody else',
    says: 'makes a download from an unaccountable place a condition of use',
    remedy:
      'Do not install it. Look for the tool at its official page; a skill that works needs no unknown program.',
    fooled:
      'Applications of small vendors that are true prerequisites. A package of a package manager with a bad name is not seen.',
    words: `://|](http`,
    find: findsPrerequisites,
    isFirm: true,
  },
  {
    id: 'pasted-command',
    group,
    severity: 'high',
    where: [...SPOKEN, 'fence'],
    finds: 'a command that is to be copied from a page elsewhere and run',
    says: 'has a command run that stands on a page elsewhere, which can change',
    remedy:
      'Never paste a command from a page you have not read; the command belongs into the skill.',
    fooled: 'Pages of vendors that show an install command with a personal key.',
    words: 'copy|paste|grab|win+r|win + r|windows + r|terminal|powershell',
    span: 4,
    pattern: PASTE,
    judge: judgePaste,
    isFirm: true,
  },
  {
    id: 'password-archive',
    group,
    severity: 'high',
    where: [...SPOKEN, 'fence'],
    finds: 'an archive whose password is stated beside it',
    says: 'gives the password of an archive, which keeps scanners from looking into it',
    remedy: 'Do not open it; an honest archive needs no password that everybody is told.',
    fooled: 'Tools that handle protected files; those of office documents are left out.',
    words:
      'password|passwd|passcode|passphrase|passkey|pass:|pass: |pass =|pass "|pass `|pass \'|pass is|pass`|pwd:|pw:|密码|密碼|口令|пароль|contraseña|senha|passwort|kennwort|mot de passe|パスワード|비밀번호',
    pattern: PASSWORD,
    judge: judgePassword,
    isFirm: true,
  },
  {
    id: 'password-archive-command',
    group,
    severity: 'medium',
    where: COMMANDS,
    finds: 'a command that unpacks an archive with a password written beside it',
    says: 'unpacks an archive with a password, which keeps scanners from looking into it',
    remedy: 'Look into the archive before anything of it runs.',
    fooled: 'Lessons about archives; a password in a variable is left out.',
    words: 'unzip|7z|7za|unrar|expand-7zip',
    pattern:
      /\bunzip\s[^\n;|]{0,60}-P\s{0,2}["']?(?![$<{])\w{2,40}|\b7za?\s{1,3}[xe]\s[^\n;|]{0,120}-p["']?(?![$<{])[\w!@#]{2,40}|\bunrar\s{1,3}[xe]\s[^\n;|]{0,60}-p(?![$<{-])\w{2,40}/,
    judge: (_, { file, line }) =>
      /curl|wget|https?:|iwr/i.test(around(file, line, 5)) ? 'high' : 'medium',
  },
  {
    id: 'pipe-to-shell',
    group,
    severity: 'high',
    where: [...COMMANDS, 'front matter'],
    finds: 'a download that is run in the same breath, unseen',
    says: 'downloads a script and runs it unseen',
    remedy: 'Download it, read it, check a hash, then run it; better, take a package manager.',
    fooled:
      'Installers of vendors whose host is not known here. A host in a variable is not judged.',
    words: 'curl|wget',
    pattern: new RegExp(
      `${DOWNLOAD}\\|\\s{0,4}(?:tee\\s[^|\\n]{1,60}\\|\\s{0,4})?(?:${RUNNER}|(?:sudo\\s{1,4})?(?:python3?|node|perl|ruby|php|osascript)\\b(?!\\s{1,4}-(?:[cm]|e)))|(?:\\b(?:ba|z|da)?sh\\b|\\beval\\b|\\bsource\\b|(?:^|\\s)\\.)\\s{1,4}(?:-\\w{1,3}\\s{1,4}){0,3}["']?(?:<\\(|\\$\\(|\`)\\s{0,4}(?:curl|wget)\\b[^\\n]{0,300}|\\b(?:python3?|node|perl|ruby)\\s{1,4}-[ce]\\s{1,4}["']?\\$\\(\\s{0,4}(?:curl|wget)\\b[^\\n]{0,300}`,
      'gi',
    ),
    judge: (found, place) => inProse(judgeSource(found[0], place), place, found.index),
  },
  {
    id: 'powershell-download',
    group,
    severity: 'high',
    where: [...COMMANDS, 'front matter'],
    finds: 'a download that PowerShell, mshta or another Windows tool runs in the same breath',
    says: 'downloads a script into a Windows shell',
    remedy:
      'Download it, read it, then run it; better, take winget, scoop or the vendor’s installer.',
    fooled: 'Installers of vendors whose host is not known here.',
    words: 'iwr|irm|invoke-|iex|downloadstring|mshta|bitsadmin|certutil|regsvr32|msiexec',
    pattern:
      /\b(?:iwr|irm|curl|invoke-(?:webrequest|restmethod)|downloadstring)\b[^|\n]{0,300}\|\s{0,4}(?:iex|invoke-expression)\b|\b(?:iex|invoke-expression)\b\s{0,4}[("'&\s]{0,6}[^\n]{0,80}\b(?:iwr|irm|invoke-(?:webrequest|restmethod)|downloadstring|webclient)\b[^\n]{0,200}|\bmshta\b(?:\.exe)?\s{1,4}["']?https?:\/\/[^\s"']{4,200}|\bmsiexec\b[^\n]{0,40}\s\/i\s{1,4}["']?https?:\/\/[^\s"']{4,200}|\bregsvr32\b[^\n]{0,60}\/i:https?:\/\/[^\s"']{4,200}|\bcertutil\b[^\n]{0,60}-urlcache[^\n]{0,200}|\bbitsadmin\b[^\n]{0,40}\/transfer[^\n]{0,200}/gi,
    judge: (found, place) => inProse(judgeSource(found[0], place), place, found.index),
  },
  {
    id: 'save-and-run',
    group,
    severity: 'high',
    where: COMMANDS,
    finds: 'a file that is downloaded and then, within a few lines, made executable or run',
    says: 'downloads a program and runs it',
    remedy: 'Pin a version and check its hash before it runs.',
    fooled:
      'Command-line tools that vendors publish as files. A file name in a variable is not followed.',
    words:
      'curl|wget|iwr|invoke-webrequest|start-bitstransfer|downloadfile|urlretrieve|requests.get|urlopen',
    span: 10,
    pattern: SAVED,
    judge: judgeSaved,
  },
  {
    id: 'whole-disk-mounted',
    group,
    severity: 'medium',
    where: COMMANDS,
    finds: 'a container that is given the whole disk of its host',
    says: 'gives a container the whole disk, and with it the machine',
    remedy: 'Mount the one folder that is needed, read-only where that is enough.',
    fooled:
      'Tools that watch a machine from a container; those mount it read-only, and are left out.',
    words: ' /:/|source=/,|src=/,',
    pattern:
      /\b(?:docker|podman|nerdctl)\s{1,3}(?:container\s{1,3})?run\b[^\n]{0,200}(?:\s(?:-v|--volume)[\s=]{1,3}["']?\/:\/(?![^\s"']{0,40}:ro\b)|--mount[\s=][^\n]{0,60}(?:source|src)=\/,)/,
  },
  {
    id: 'clone-and-run',
    group,
    severity: 'medium',
    where: COMMANDS,
    finds: 'a repository that is cloned out of sight, and a script of it that is run at once',
    says: 'runs a script of a repository that it clones out of sight',
    remedy: 'Clone a fixed commit where it can be read, and read it first.',
    fooled: 'A clone into the working folder is how most tools are built, and is left out.',
    words: 'git clone',
    span: 4,
    pattern:
      /\bgit\s{1,3}clone\s{1,3}(?:-{1,2}[\w=-]{1,20}\s{1,3}(?:\d{1,3}\s{1,3})?){0,4}["']?(https?:\/\/[^\s"']{6,160})["']?\s{1,3}["']?(?:\/tmp\/|\/var\/tmp\/|\$\{?TMPDIR\}?|\$\(mktemp|~\/\.(?!claude|agents|codex|cursor|oh-my|local\/share|config)|\/dev\/shm\/)[^]{0,200}?(?:^|[\s;&|])(?:(?:ba|z)?sh|python3?|node|sudo)\s{1,3}[^\s;|&]{0,60}(?:install|setup|run|main|start|init|boot)\w{0,10}\.\w{2,3}\b/im,
    judge: ([, url = ''], { file }) => {
      const address = readAddress(url)
      return address && !isTrusted(judgeHost(address, file.names)) && !isProjectsOwn(address)
        ? 'medium'
        : undefined
    },
  },
  {
    id: 'run-fetched-code',
    group,
    severity: 'high',
    where: COMMANDS,
    finds: 'code that is fetched over the network and evaluated',
    says: 'evaluates code that it fetches',
    remedy: 'Ship the code with the skill, where it can be read.',
    fooled: 'A body that goes through a variable is not followed.',
    words: 'exec(|eval(|then(eval|new function|loads(|importlib|vm.run',
    pattern:
      /\b(?:exec|eval|new Function|marshal\.loads|pickle\.loads|vm\.runIn\w{1,20})\s{0,3}\([^\n]{0,120}\b(?:requests\.get|urlopen|httpx\.get|fetch\(|axios(?:\.get)?\(|urllib)[^\n]{0,200}|\b(?:fetch|axios(?:\.get)?)\([^\n]{1,200}\.then\([^\n]{0,120}\beval\b/i,
  },
  {
    id: 'run-fetched-text',
    group,
    severity: 'high',
    where: ['fence', 'script', 'comment', 'config'],
    finds: 'what a request answers, kept in a variable and run within a few lines',
    says: 'runs what another machine answers',
    remedy: 'Ship the code with the skill; let nobody send commands.',
    fooled: 'A second variable between the two hides it. Answers of the same machine are left out.',
    words:
      'requests.get|requests.post|urlopen|httpx.get|fetch(|axios|=$(curl|="$(curl|=$(wget|=`curl|invoke-restmethod|downloadstring',
    span: 10,
    pattern:
      /(?:^|[\s;{(])(?:const\s|let\s|var\s|local\s)?\$?(\w{1,30})\s{0,3}=\s{0,3}(?:await\s)?[^\n=]{0,80}?(?:\brequests\.(?:get|post)\(|\burlopen\(|\bhttpx\.get\(|\bfetch\(|\baxios(?:\.get)?\(|\$\((?:curl|wget)\s|`(?:curl|wget)\s|\bInvoke-RestMethod\b|\bDownloadString\()[^]{0,700}?(?:\b(?:eval|exec|execSync|compile|os\.(?:system|popen)|subprocess\.\w{3,16}|new Function|child_process\.\w{3,9}|spawn(?:Sync)?)\s{0,3}\(\s{0,3}(?:\[\s{0,3}["'][^\n]{1,40},\s{0,3})?|\b(?:eval|(?:ba|z)?sh\s{1,3}-c|iex|Invoke-Expression)\s{1,3}["']?\$\{?)\1\b(?!\.status|\.ok\b)/,
    judge: ([match], { file, region }) => {
      const kinds = judgeAddresses(match, file).map(({ kind }) => kind)
      if (kinds.length > 0 && kinds.every(isTrusted)) return ['low', TRUST_REASON[kinds[0]!] ?? '']
      return region === 'script' || kinds.length > 0 ? 'high' : 'medium'
    },
  },
  {
    id: 'install-script',
    group,
    severity: 'high',
    where: ['config', 'fence'],
    finds:
      'a script that a package manager runs by itself, and that fetches or evaluates something',
    says: 'runs when a package is installed, and goes to the network',
    remedy: 'Let the user start it; ship what it needs.',
    fooled:
      'Packages that fetch a binary of their own; a script in a file of its own is not followed.',
    words: '"preinstall"|"install"|"postinstall"|"prepare"|"prepublish"',
    pattern:
      /"(?:pre|post)?(?:install|prepare)"\s{0,3}:\s{0,3}"((?:[^"\\\n]|\\.){0,300}(?:\b(?:curl|wget|powershell|iwr|nc)\s|https?:\/\/|\bnode\s{1,3}-e|\bpython3?\s{1,3}-c|base64)(?:[^"\\\n]|\\.){0,300})"/,
    judge: ([, command = ''], { file, region }) => {
      const kinds = judgeAddresses(command, file).map(({ kind }) => kind)
      if (kinds.some((kind) => !isTrusted(kind))) return region === 'fence' ? 'medium' : 'high'
      return /\beval\b|base64|powershell/.test(command) ? 'medium' : undefined
    },
  },
  {
    id: 'obey-fetched-text',
    group,
    severity: 'high',
    where: [...SPOKEN, 'fence'],
    finds: 'an order to fetch a page and follow the instructions on it',
    says: 'has the assistant obey a page elsewhere, which can change',
    remedy: 'Copy the instructions into the skill, so that they can be reviewed.',
    fooled:
      'Vendors who keep their guides on their own site; those are told as low where the host is known.',
    words: 'instruction|execute|follow|obey| run it| run them|carry out',
    isWrapped: true,
    pattern:
      /\b(?:fetch|download|load|read|curl|get|retrieve|visit|open|go to|check)\b[^\n]{0,120}https?:\/\/[^\n]{4,200}\b(?:follow|execute|obey|run|carry out|comply with|apply)\b[^\n]{0,40}\b(?:instructions?|steps|commands?|directives?|orders?|returned tasks?|it|them|whatever)\b|\b(?:follow|execute|obey|carry out)\b[^\n]{0,40}\b(?:instructions?|commands?|directives?|orders?)\b[^\n]{0,30}\b(?:at|from|on|in)\b\s{1,3}[`"<[(]{0,3}https?:\/\/[^\n\s]{4,200}/gi,
    judge: (found, place) =>
      judgeAll(found[0], place, ({ kind }) => {
        if (isTrusted(kind))
          return kind === 'sample' || kind === 'local'
            ? undefined
            : ['low', TRUST_REASON[kind] ?? '']
        return isShady(kind) && kind !== 'free' && kind !== 'odd' ? 'high' : 'medium'
      }),
  },
  {
    id: 'system-check-off',
    group,
    severity: 'high',
    where: COMMANDS,
    finds:
      'a switch that turns off what the system checks of programs: quarantine, Gatekeeper, Defender, AMSI, SELinux',
    says: 'switches off a check that the system makes of programs',
    remedy: 'Keep the check on; ask for a signed program.',
    fooled: 'Unsigned open-source programs that are known to need it.',
    words:
      'xattr|spctl|mppreference|amsi|executionpolicy|gatekeeper|defender|smartscreen|setenforce|csrutil',
    pattern:
      /\bxattr\s{1,3}(?:-\w{1,4}\s{1,3}){0,3}(?:-?c\b|-\w{0,3}c\w{0,2}\b|-\w{0,2}d\w{0,2}\s{1,3}com\.apple\.quarantine)[^\n]{0,80}|\bxattr\b[^\n]{0,30}com\.apple\.quarantine|\bspctl\s{1,3}--(?:master|global)-disable|\b(?:add|set)-mppreference\b[^\n]{0,60}-(?:exclusion\w{1,12}|disable\w{1,30})|\bamsi(?:initfailed|scanbuffer|utils)\b|\bcsrutil\s{1,3}disable|\bsetenforce\s{1,3}0\b|\b(?:disable|turn off|deactivate|pause|exclude)\b[^\n.]{0,40}\b(?:windows defender|antivirus|anti-virus|smartscreen|gatekeeper|real-?time protection)\b/i,
    judge: ([match], { region }) =>
      region === 'script' ||
      /mppreference|amsi|spctl|csrutil|defender|antivirus|protection/i.test(match)
        ? 'high'
        : 'medium',
  },
  {
    id: 'package-address',
    group,
    severity: 'high',
    where: COMMANDS,
    finds: 'a package that is installed from an address nobody can be held to, past every registry',
    says: 'installs a package from an address that no registry stands behind',
    remedy: 'Install it from the registry by name and version, or pin it by hash.',
    fooled: 'Addresses on hosts of repositories and of vendors are left out.',
    words:
      'pip install|pip3 install|npm install|npm i |npx |uvx |pipx |yarn add|pnpm add|go install|gem install|uv pip',
    pattern:
      /\b(?:pip3?|npm|pnpm|yarn|npx|uvx|pipx|uv|gem)\b\s{1,3}[^\n|;&]{0,80}?(?<!(?:index-url|registry|find-links|-i|-f|proxy)[=\s]{1,3}["']?)((?:git\+)?https?:\/\/[^\s"'`)]{4,200})/gi,
    judge: ([, url = ''], { file }) => {
      const address = readAddress(url.replace(/^git\+/, ''))
      if (!address || !/\.(?:tgz|tar\.gz|zip|whl|gem|git)(?:[?#@]|$)/i.test(address.path))
        return undefined
      const kind = judgeHost(address, file.names)
      return isTrusted(kind) || kind === 'code'
        ? undefined
        : isShady(kind) || address.isPlain
          ? 'high'
          : 'medium'
    },
  },
  {
    id: 'package-index',
    group,
    severity: 'high',
    where: COMMANDS,
    finds: 'a package manager that is pointed at a registry that is not well known',
    says: 'takes packages from a registry that nobody vouches for',
    remedy: 'Use the default registry, or pin packages by hash.',
    fooled:
      'Registries of companies; only bare addresses, free hosting and odd endings count as high.',
    words:
      '--index-url|--extra-index-url|--registry|registry=|index-url|--trusted-host|set registry',
    pattern:
      /(?:--(?:extra-)?index-url|(?<=pip3?\s{1,3}install\s[^\n]{0,80})-i|--registry|\bregistry|index-url)[=\s]{1,3}["']?(https?:\/\/[^\s"'`]{4,200})/gi,
    judge: ([, url = ''], { file }) => {
      const address = readAddress(url)
      if (!address) return undefined
      const kind = judgeHost(address, file.names)
      return isTrusted(kind) || kind === 'code'
        ? undefined
        : isShady(kind) || address.isPlain
          ? 'high'
          : 'low'
    },
  },
]
