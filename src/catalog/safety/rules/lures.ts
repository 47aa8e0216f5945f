import { inAnyLanguage, isAboutSecurity, isSetup as isSetupHeading } from '../contexts.ts'
import {
  ADDRESS,
  UNNAMED_HOSTS,
  isSuspicious,
  isTrusted,
  judgeHost,
  readAddress,
  judgeAddresses,
  linesAround,
} from '../hosts.ts'
import type { Address } from '../hosts.ts'
import { PROSE_REGIONS } from '../rule.ts'
import type { Judgement, Place, SafetyRule } from '../rule.ts'

const group = 'Installs and runs'

/** Words that make something a condition of the rest. */
const REQUIRES = inAnyLanguage(
  /\b(?:must(?: first)? (?:be |have |also )?(?:install|download|run|have|obtain|get|set ?up|extract|registered)\w{0,5}|mandatory|(?:is|are) (?:also |strictly )?(?:required|needed|necessary)|required?s?\b|requirements?|needs? \S{2,40} (?:to be )?(?:installed|running|present)|needs? [A-Z]\w{2,30}|isn['’]t (?:active|running|installed)|powered by|pre-?req(?:uisite)?s?|(?:has|have) to\b|before (?:you |using|running|starting|any|proceeding|use|the skill|this skill|first|installing|doing|continuing|setup)|need(?:s|ed)? (?:to (?:be )?(?:install|download|run|have|get)\w{0,4}|the|a|an)\b|(?:will|you(?:['’]ll)?) need\b|won['’]?t (?:work|function|run|respond|answer|start)|(?:will|does|do|can)\s?not (?:work|function|run|operate|sign)|cannot (?:work|function|run|operate|sign|be used)|nothing (?:\w+ )?works?|without (?:this|it|the|[A-Z]\w{2,30})|make sure|ensure|first (?:install|download|run|step)|step (?:1|one)|depends on|relies on|essential|to (?:use|enable|activate|unlock|get started|function|begin)|(?:if|when) (?:it|that|this) (?:is|does)(?:n['’]t| not)|\bno [A-Z]\w{2,20}, no\b|until (?:the|it|this|[A-Z])|not (?:been |yet )?(?:running|found|installed|detected|reachable)|missing|important|setup|set up|dependency|obligatorio|imprescindible|requisitos?|necesari[oa]|necesita|antes de|obrigatóri[oa]|pré-requisitos?|necessári[oa]|precisa|erforderlich|voraussetzung\w{0,3}|benötigt|bevor|zuerst|obligatoire|prérequis|nécessaire|avant (?:de|d['’]|toute?)|obbligatorio|necessario|prima di|gerekli|önce|wymagan\w{1,3}|potrzebn\w{1,2}|cần)\b/i,
  /安装|安裝|必须|必須|需要|前置|先下载|才能|否则|第一步|步骤|ないと|なければ|않으면|шаг 1|обязательн|требуется|требования|необходим|нуж[ен]н|перед (?:началом|использованием|запуском)|не работает|сначала|потрібн|前提|必要|インストール|필수|필요|설치|먼저/i,
)

/** The same, worded so that nobody takes it for advice. */
const INSISTS = inAnyLanguage(
  /\b(?:must|mandatory|required?|requires|requirements?|prerequisites?|before (?:using|you|running|calling|the first|first|use|starting|activating)|needs? \S{2,40} (?:to be )?(?:installed|running|present)|first use|won['’]?t work|(?:not|cannot) (?:work|function|run|operate)|without (?:it|this)|depends on|relies on|will need|you(?:['’]ll)? need|needs? (?:the|an?|to be)\b|needed|necessary|(?:has|have) to\b|ensure|make sure|missing|no [A-Z]\w{2,20}, no\b|until (?:the|it|this|[A-Z])|not (?:found|installed|running)|obligatorio|imprescindible|requisitos?|necesari[oa]|antes de (?:usar|empezar)|obrigatóri[oa]|pré-requisitos?|necessári[oa]|precisa|erforderlich|voraussetzung\w{0,3}|benötigt|obligatoire|prérequis|nécessaire|obbligatorio|necessario|gerekli|wymagan\w{1,3}|cần)\b/i,
  /必须|必須|需要|前置|才能|否则|ないと|なければ|않으면|обязательн|требуется|требования|необходим|нуж[ен]н|перед (?:началом|использованием|запуском)|до первого|使用前|не работает|首次|前提|必要|필수|필요|먼저|해야/i,
)

/** To install or to download, in other languages than English. */
const ABROAD_INSTALL = inAnyLanguage(
  /\b(?:desc[aá]rg\w{1,6}|inst[aá]l[aeo]\w{0,6}|baix[ae]\w{0,3}|récupér\w{1,4}|lancez|herunterladen|lad\w{0,2}\b[^.\n]{0,60}\bherunter|installier\w{1,4}|télécharg\w{1,6}|scarica\w{0,4}|indir\w{0,4}|yükle\w{0,4}|pobierz|zainstaluj|tải)\b/i,
  /下载|下載|安装|安裝|скача|завантаж|установ|ダウンロード|インストール|다운로드|설치/i,
)

/** To get a program, in the words of those who distribute it. */
const FETCHES = inAnyLanguage(
  /\b(?:download(?:s|ed|ing|able)?|install(?:s|ed|er|ing|ation)?|extract(?:ed)?|unzip|unpack|get (?:it|the)|grab|obtain|get|double-click|fetch|visit|open|launch|run|execute|start|ejec\w{2,8}|execut\w{1,4}|exécut\w{1,4}|esegu\w{1,4}|starten?)\b/i,
  /运行|運行|запуст|распаку|実行|실행/i,
)

/** A system and its download: `Windows: https://…`, as such lists are written. */
const IS_FOR_SYSTEM =
  /\b(?:windows|win|mac(?:os)?|osx|linux)\b[^\n\w]{1,8}(?:\[|<?https?:|\w{0,12}\.\w{2,4}\/)/i

const isFetched = (text: string): boolean =>
  FETCHES.test(text) || ABROAD_INSTALL.test(text) || IS_FOR_SYSTEM.test(text)

/** Letters beyond ASCII in two words: a language other than English. */
const IS_ABROAD = /[\u00C0-\u{2FFFF}]\P{L}{0,4}[^\n]{1,60}?[\u00C0-\u{2FFFF}]/u

const INSTALLS =
  /\b(?:install(?:er|ed|ation|ing)?|setup wizard|complete (?:its|the) setup|download\w{0,3}|fetch|extract|unzip|unpack|get (?:it|the)|Get [A-Z]\w{2,30}|grab|run the|launch)\b/i

const isInstalled = (text: string): boolean =>
  INSTALLS.test(text) || ABROAD_INSTALL.test(text) || IS_FOR_SYSTEM.test(text)

/** What only a dishonest program asks for: administrator rights, or that a warning be ignored. */
const PRESSES = inAnyLanguage(
  /\b(?:as (?:an? )?admin\w{0,10}|with admin\w{0,10} (?:rights|privileges)|(?:run|open|allow|install|keep) (?:it )?anyway|more info|ignore (?:the|any|this) (?:\w{2,16} )?(?:warnings?|alerts?)|(?:click|press|choose|grant|hit) allow|through the firewall|(?:disable|turn off|pause|deactivate|whitelist|exclu\w{2,4})[^.\n]{0,40}(?:antivirus|anti-virus|defender|smartscreen|gatekeeper|protection)|false positives?|(?:right|control)-click[^\n]{0,16}\bopen|ejecutar de todas|como administrador|trotzdem ausführen|als administrator|en tant qu['’]administrateur|come amministratore|yönetici olarak)\b/i,
  /от имени администратора|以管理员|管理者として|관리자 권한|杀毒|添加信任|антивирус/i,
)

/** What is said of a program that keeps running, not of one that is used once. */
const STAYS =
  /\b(?:(?:keep|leave|leaving) (?:it|[\w-]{2,20}|the \w{2,20}) (?:running|open|active)|in the (?:tray|background))\b|起動したまま|保持运行/i

/** Words for something that runs on the reader's own machine. */
const IS_LOCAL_PROGRAM =
  /\b(?:cli|utility|helper|companion|runtime|driver|connector|bridge|launcher|daemon|desktop app|program|software|binary|executable|component|codec|wizard|on (?:the|your|their) (?:machine|computer|mac|pc|system)|in (?:the |your )?\$?PATH\b|--version)\b/i

/** Executables and archives of them. */
const PROGRAM =
  /\.(?:zip|rar|7z|exe|msi|dmg|pkg|scr|iso|bat|cmd|ps1|vbs|jar|apk|app|deb|rpm|appimage|hta|lnk|command|tar\.gz|tgz|sh)(?:[?#/]|$)/i

const HARMLESS_PROGRAM = /\.(?:tar\.gz|tgz|deb|rpm|sh|jar|ps1|appimage)(?:[?#/]|$)/i

/** A file, named beside an address, that a double click starts. */
const NAMES_PROGRAM = /[\w-]\.(?:exe|scr|msi|dmg|pkg|bat|cmd|app|lnk|hta|vbs|apk)\b/i

/** Programs that a double click starts. */
const READY_PROGRAM = /\.(?:exe|msi|dmg|pkg|scr|iso|hta|lnk|vbs|bat|command)(?:[?#/]|$)/i

const RUNS_PROGRAM =
  /\b(?:run|launch|execute|start|double-click|open)\b[^\n]{0,40}(?:\.(?:exe|msi|dmg|pkg|bat|cmd|app)\b|installer|setup)/i

const SECRET_WORD = String.raw`(?:pass(?:word|wd|code|phrase|key)|contraseña|senha|passwort|kennwort|mot de passe|şifre|hasło)`

/** A stated password: `password: 1234`, `with pass "abc"`, `the password is abc`, `unpack with key "abc"`. */
const PASSWORD = new RegExp(
  String.raw`(?<![$\w.-])(?:${SECRET_WORD}\b(?!-)[^\n=!."“]{0,24}?(?:[:：]\s{0,3}|\s=\s|\b(?:is|es|é|ist|est)\s{1,3}|["'\`“*]{1,3})|(?<=(?:^|[(|,;:*–—-]|\b(?:with|using|by|archive|zip|rar|key))\s{0,3})pass\s{0,3}(?:[:：]|=(?!=)|\bis\b)|(?<=(?:with|using|by|the|archive|zip|key|[(|,;:–—-])\s{1,3})pass\s{0,3}(?=["'\`“])|pwd?\s{0,2}[:：]|(?:密码|密碼|口令|パスワード|비밀번호)\s{0,2}(?:[:：]|是|为|為|は|-)|пароль\s{0,2}(?:(?:от|для|к)\s\S{2,12}\s?)?(?:архива\s{0,2})?[:：«"—–-]?|(?:unzip|archive|extraction|unlock\w{0,3}|decompression)\s(?:key|code|pin|phrase|pass\w{0,6})\b[^\n.]{0,40}?(?:["'\`“]|\bis\s)|(?:提取码|解压码)\s{0,2}[:：]?|(?:unpack|extract|unzip|unlock|archive|zip|rar)\w{0,4}\s{0,2}(?:it\s|them\s|\()?(?:with\s|using\s|the\s|[(:]\s?){0,3}(?:key|code|pin|secret)\s{0,3}(?:[:：]|\bis\b|(?=["'\`“])))\s{0,3}["'\`“*«「]{0,4}[A-Za-z0-9!@#$%_][A-Za-z0-9!@#$%_.-]{2,39}`,
  'i',
)

/** Commands of package managers, whose packages have a name and a page. */
const PACKAGE_MANAGER =
  /\b(?:brew|apt(?:-get)?|dnf|yum|pacman|winget|choco|scoop|npm|pnpm|yarn|pip3?|pipx|uv|cargo|go|gem|conda|snap|flatpak|apk|composer|dotnet|nix-env|port)\s{1,3}(?:install|add|get|i|tool|global|-S|cask|pip)\b/i

/** Hosts whose files belong to an account. */
const NAMED_STORE =
  /(?:google|dropbox|dropboxusercontent|live|1drv|yandex|yadi|terabox|wetransfer)\./

/** Short links to people and groups, and documents that are read in a browser; nothing of these runs. */
const IS_PAGE = /^(?:t\.me|linktr\.ee|docs\.google\.com)$/

/** Downloads that are not run. */
const IS_DATA =
  /\b(?:data(?:sets?)?|weights|checkpoints?|corpus|corpora|samples?|csv|images|photos|fonts|models?|templates?|slides|spreadsheets?|logs?|evidence|history|urls?)\b/i

/** Things that are looked at, not installed. */
const IS_READ =
  /\b(?:docs|documentation|demo|dashboard|playground|preview|guide|tutorial|reference|blog|examples?|gallery|showcase|storybook|api|endpoint|deployed|hosted|no setup|requests go|try it|live (?:site|at|version))\b/i

/** A repository with the same name as its owner, as of projects with an organization of their own. */
export const isProjectsOwn = ({ path }: Address): boolean => {
  const [owner = '', repository = ''] = path
    .split('/')
    .slice(1, 3)
    .map((one) => one.toLowerCase().replace(/[^a-z0-9]/g, ''))
  return repository.length >= 4 && (owner === repository || owner.startsWith(repository))
}

/** An address, or the name of a host that people open without a scheme. */
const PREREQUISITE_ADDRESS = new RegExp(
  String.raw`(?:\b(?:hxxp|http|ftp)s?:\/\/|(?<![\w/.@-])(?=(?:${UNNAMED_HOSTS.join('|').replaceAll('.', String.raw`\.`)})\/\w)|(?<=\b(?:from|at|visit|open|via)\s{1,2}["'*(]{0,2})(?=(?:[a-z0-9-]{2,40}\.){1,3}(?:com|net|org|io|dev|app|ai|co|sh|cc|me|xyz|site|online|top|pro|cloud)\/\w))[^\s"'\`<>)\]|\\]{1,300}`,
  'gi',
)

/** Whether a page is named after something that the text beside it mentions: `WordCore`, `wordcore.carrd.co`. */
const isNamesake = ({ host }: Address, own: string): boolean => {
  const label = (host.split('.')[0] ?? '').replace(/[^a-z0-9]/g, '')
  return (
    label.length >= 5 &&
    [...own.replace(ADDRESS, ' ').matchAll(/\b[A-Z]\w{1,20}(?:[ -][A-Z]\w{1,20})?/g)].some(
      ([name]) => name.toLowerCase().replace(/[^a-z0-9]/g, '') === label,
    )
  )
}

const judgePrerequisite = ([url]: RegExpExecArray, place: Place): Judgement => {
  const { file, line, text } = place
  const address = readAddress(url.includes('://') ? url : `https://${url}`)
  if (!address) return undefined
  const kind = judgeHost(address, file.names)
  const isProgram = PROGRAM.test(address.path)
  // Rules out most addresses: reading around each would cost more than all other rules.
  if (kind === 'sample' || kind === 'local' || (isTrusted(kind) && !isProgram)) return undefined
  if (
    !isProgram &&
    (kind === 'code'
      ? !address.path.includes('/releases')
      : kind === 'unknown' && !isInstalled(text) && !NAMES_PROGRAM.test(text))
  )
    return undefined
  const { region } = place
  // Commands in blocks and code are judged by other rules.
  if (
    region === 'fence' &&
    /[|;&]|[({=]|^\s*(?:return|const|let)\b|^\s*(?:\$\s)?(?:sudo\s)?(?:curl|wget|git|npm|npx|pip3?|uv|brew|docker|helm|kubectl|go|cargo|apt|iwr|irm)\s/.test(
      text.slice(0, text.indexOf(url) + url.length),
    ) &&
    !/^\s*#/.test(text)
  )
    return undefined
  const near = linesAround(file, line, 4)
  const own = linesAround(file, line, 1)
  // An executable from a suspicious host counts even if nothing says that it is required.
  const isReady = READY_PROGRAM.test(address.path)
  if (isReady && (isSuspicious(kind) || (kind === 'code' && /\/raw\//.test(address.path))))
    return 'high'
  // Such headings also precede commands in blocks, which install openly.
  const isSetup = region !== 'fence' && isSetupHeading(file.headingsOf(line))
  const isRequired = REQUIRES.test(near) || isSetup
  const isPressed = PRESSES.test(near)
  // Not every language's verbs are listed; for a suspicious host none is needed.
  if (
    !isFetched(own) &&
    !isPressed &&
    !(isReady && isRequired) &&
    !(isSuspicious(kind) && IS_ABROAD.test(own)) &&
    !(isSuspicious(kind) && isRequired && !isAboutSecurity(file.names))
  )
    return undefined
  const hasPassword =
    PASSWORD.test(near) && /\.(?:zip|rar|7z)\b|extract|archive|unzip|unpack/i.test(near)
  if (isRequired && hasPassword && (isProgram || kind !== 'known') && !/pdf|xlsx?|docx?/i.test(own))
    return 'high'
  const isInsisted =
    INSISTS.test(linesAround(file, line, 2)) || isSetup || isPressed || STAYS.test(near)
  switch (kind) {
    case 'bare':
    case 'paste':
    case 'sink':
    case 'tunnel':
    case 'files':
    case 'short': {
      if (IS_PAGE.test(address.host) && !(address.host === 't.me' && isInstalled(own)))
        return undefined
      if (!NAMES_PROGRAM.test(own) && IS_DATA.test(own)) return undefined
      if (isProgram && RUNS_PROGRAM.test(own)) return 'high'
      // Requests to such hosts are judged by the rules of sending.
      if ((kind === 'tunnel' || kind === 'sink') && !isProgram) return undefined
      const isNamed = kind === 'files' && NAMED_STORE.test(address.host)
      if (isNamed)
        return (isInstalled(own) || NAMES_PROGRAM.test(own)) &&
          (isInsisted || isProgram || NAMES_PROGRAM.test(own))
          ? 'high'
          : undefined
      if (isRequired || isPressed || NAMES_PROGRAM.test(own)) return 'high'
      // Honest skills hardly ever link such hosts: 5 of 4,000 did, all of them about evidence.
      return isInstalled(own) && kind !== 'bare' && !isAboutSecurity(file.names)
        ? 'medium'
        : undefined
    }
    case 'free':
    case 'odd':
      if (PACKAGE_MANAGER.test(own) || (!isProgram && (!isRequired || IS_READ.test(own))))
        return undefined
      // Pages on free hosting are everywhere; a tool that the skill cannot do without is something else.
      if (
        !isProgram &&
        !(
          (isInstalled(own) ||
            isPressed ||
            (kind === 'free' && (IS_LOCAL_PROGRAM.test(own) || isNamesake(address, own))) ||
            NAMES_PROGRAM.test(own)) &&
          isInsisted
        )
      )
        return undefined
      // Pages of repositories, which have a named owner.
      if (/\.git(?:hub|lab)\.io$/.test(address.host) && !INSISTS.test(own)) return undefined
      return isProgram || kind === 'free' ? 'high' : 'medium'
    case 'code': {
      const isOffer =
        isProgram &&
        !HARMLESS_PROGRAM.test(address.path) &&
        /\/(?:releases|raw|blob)\//.test(address.path)
      if (!isRequired || PACKAGE_MANAGER.test(near) || isProjectsOwn(address)) return undefined
      if (!isOffer) return isPressed && /\/releases\b/.test(address.path) ? 'medium' : undefined
      return /\b(?:extract|unzip|unpack|run|open|launch|execute|double-click)\b/i.test(own)
        ? 'high'
        : 'medium'
    }
    case 'unknown':
      if (!isRequired || PACKAGE_MANAGER.test(near)) return undefined
      if ((isPressed || NAMES_PROGRAM.test(own)) && isInstalled(near) && !IS_READ.test(own))
        return 'medium'
      if (!isProgram || HARMLESS_PROGRAM.test(address.path)) return undefined
      return address.isPlain ? 'high' : 'medium'
    default:
      return undefined
  }
}

/** A terminal, pasting a command into it, and copying the command before. */
const IS_SHELL =
  /\b(?:terminal|powershell|command prompt|cmd(?:\.exe)?|console|run dialog|shell|konsole|consola)\b|win(?:dows)?(?: key)?\s?\+\s?[rx]\b|终端|終端|命令行|ターミナル|터미널|терминал|консол/i
const IS_PUT =
  /\b(?:past(?:e|es|ing)|run|execute|enter|type|peg[aue]\w{0,2}|col[ae]r?|ejecut\w{1,3}|coll(?:er|ez)|einfügen|ausführen|cola\w{0,2})\b|ctrl\s?\+\s?v|⌘\s?\+?\s?v|粘贴|粘貼|执行|執行|运行|貼り付け|実行|붙여|실행|встав|выполни|запусти/i
const IS_COPIED =
  /\b(?:cop(?:y|ies|ied|ying)|grab|copi[ae]\w{0,2}|kopier\w{0,3})\b|复制|複製|コピー|복사|скопир/i
const IS_FROM_PAGE =
  /\b(?:visit|go to|open|navigate|head (?:over )?to|from|shown?|shows|displays?|find|provides?|generates?|there|page|site|link|here|visita|abr[aei]\w?|aparece\w?|ouvre|öffne\w{0,2})\b|访问|打开|開[いく]|открой|перейд/i

const WINDOWS_RUN = /\bwin(?:dows)?(?: key)?\s?\+\s?[rx]\b/i

const judgePaste = (_: unknown, place: Place): Judgement => {
  const { text, file } = place
  if (WINDOWS_RUN.test(text) && /\bpaste\b|ctrl\s?\+\s?v/i.test(text)) return 'high'
  const near = linesAround(file, place.line, 2)
  if (!near.includes('://')) return undefined
  const isTyped = IS_SHELL.test(text) && IS_PUT.test(text)
  const isCopied = IS_COPIED.test(text)
  if (!isTyped && !(isCopied && (IS_PUT.test(text) || IS_SHELL.test(text)))) return undefined
  const kinds = judgeAddresses(near, file)
    .filter(({ address }) => !IS_PAGE.test(address.host))
    .map(({ kind }) => kind)
  if (kinds.some((kind) => kind === 'paste' || kind === 'bare' || kind === 'short')) return 'high'
  if (!IS_FROM_PAGE.test(near)) return undefined
  // A command that is written here does not come from a page.
  const isHere = /\b(?:below|following)\b|[:：]\s{0,3}`/i.test(text)
  if (!isHere && kinds.some((kind) => isSuspicious(kind) && kind !== 'odd' && kind !== 'hook'))
    return 'high'
  if (
    /\b(?:verif(?:y|ication)|captcha|human)\b/i.test(text) &&
    kinds.some((kind) => kind !== 'known' && kind !== 'local' && kind !== 'sample')
  )
    return 'high'
  const isOther = kinds.some((kind) => kind === 'unknown' || kind === 'odd' || kind === 'code')
  return isOther && !isHere && isCopied && IS_SHELL.test(text) ? 'medium' : undefined
}

const IS_ARCHIVE_NEAR =
  /\b(?:extract(?:ed|ing)?|unzip|unpack|decompress|archive|unarchive|unrar|7-?zip|winrar|extra(?:iga|er|ia)|descompri\w{1,4}|entpack\w{1,3}|extrai\w{1,4}|décompress\w{1,4})\b|\.(?:zip|rar|7z)\b|解压|解壓|распаку|архив|解凍|압축/i

/** Whether an archive's password is stated beside it, which keeps out scanners but not readers. */
const judgePassword = (_: unknown, place: Place): Judgement => {
  // This password is a convention for malware samples shared with researchers.
  if (/\binfected\b/.test(place.text)) return undefined
  if (/\w\s{0,3}[=!]==?|\b(?:if|const|let|var|def|return)\b/.test(place.text)) return undefined
  const near = linesAround(place.file, place.line, 3)
  if (!IS_ARCHIVE_NEAR.test(near)) return undefined
  if (
    /\b(?:pdf|xlsx?|docx?|pptx?|excel|workbook|protected files?)\b/i.test(
      linesAround(place.file, place.line, 1),
    ) ||
    /\b(?:database|zipfile|extractall|encrypt|user(?:name)?s?|login|account|postgres|mysql|redis|json|session|cookie|ssh|default)\b/i.test(
      near,
    )
  )
    return undefined
  const isDownloaded = judgeAddresses(near, place.file).some(
    ({ kind }) => kind !== 'known' && kind !== 'sample',
  )
  return isDownloaded || /\bdownload/i.test(near) || ABROAD_INSTALL.test(near) ? 'high' : 'medium'
}

/** Rules for texts that have a person download a program. */
export const LURE_RULES: readonly SafetyRule[] = [
  {
    id: 'prerequisite-download',
    group,
    severity: 'high',
    where: [...PROSE_REGIONS, 'fence'],
    finds:
      'a tool without which the skill is said not to work, from free hosting, a paste site, a bare address or as a ready program of somebody else',
    says: 'makes a download from an unaccountable place a condition of use',
    remedy:
      'Do not install it. Look for the tool at its official page; a skill that works needs no unknown program.',
    fooled:
      'Applications of small vendors that are true prerequisites. A package of a package manager with a bad name is not seen.',
    words: `://|.com/|.net/|.org/|.io/|.dev/|.app/|.site/|.cc/|.pro/|.cloud/|${UNNAMED_HOSTS.join('/|')}/`,
    pattern: PREREQUISITE_ADDRESS,
    judge: judgePrerequisite,
    isFirm: true,
  },
  {
    id: 'pasted-command',
    group,
    severity: 'high',
    where: [...PROSE_REGIONS, 'fence'],
    finds: 'a command that is to be copied from a page elsewhere and run',
    says: 'has a command run that stands on a page elsewhere, which can change',
    remedy:
      'Never paste a command from a page you have not read; the command belongs into the skill.',
    fooled: 'Pages of vendors that show an install command with a personal key.',
    words:
      'copy|copies|paste|grab|win+r|win + r|windows + r|terminal|powershell|粘贴|复制|终端|ターミナル|コピー|터미널|복사|ерминал|копир|consola|pega|coller|cole o|kopier',
    span: 4,
    pattern:
      /\b(?:cop(?:y|ies)|past(?:e|ing)|grab|cole o|terminal|powershell|consola|peg[aue]|coller|kopier)|\bwin(?:dows)?(?: key)?\s?\+\s?[rx]\b|粘贴|复制|终端|ターミナル|コピー|터미널|복사|ерминал|копир/i,
    judge: judgePaste,
    isFirm: true,
  },
  {
    id: 'password-archive',
    group,
    severity: 'high',
    where: [...PROSE_REGIONS, 'fence'],
    finds: 'an archive whose password is stated beside it',
    says: 'gives the password of an archive, which keeps scanners from looking into it',
    remedy: 'Do not open it; an honest archive needs no password that everybody is told.',
    fooled: 'Tools that handle protected files; those of office documents are left out.',
    words:
      'password|passwd|passcode|passphrase|passkey|unlock|unzip|unpack|extract|archive|提取码|解压码|pass:|pass: |pass =|pass "|pass `|pass \'|pass is|pass`|pwd:|pw:|密码|密碼|口令|пароль|contraseña|senha|passwort|kennwort|mot de passe|パスワード|비밀번호',
    pattern: PASSWORD,
    judge: judgePassword,
    isFirm: true,
  },
]
