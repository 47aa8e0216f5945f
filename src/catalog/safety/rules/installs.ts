import {
  TRUST_REASON,
  isSuspicious,
  isTrusted,
  judgeHost,
  readAddress,
  expandVariables,
  judgeAddresses,
  judgePackage,
  judgeSource,
  linesAround,
} from '../hosts.ts'
import { COMMANDS, PROSE_REGIONS } from '../rule.ts'
import type { Judgement, Place, SafetyRule, TextFile } from '../rule.ts'
import { isProjectsOwn } from './lures.ts'

const group = 'Installs and runs'

const DOWNLOAD = String.raw`\b(?:curl|wget)\b(?:[^|\n;&]|\|\||&(?!&)){0,300}`
const RUNNER = String.raw`(?:sudo\s{1,4}(?:-\w\s{1,4}){0,2})?(?:env\s{1,4}(?:\w{1,30}=\S{0,40}\s{1,4}){0,3})?(?:\/usr)?(?:\/bin\/|\/usr\/bin\/env\s{1,4})?(?:ba|z|da|k|a)?sh\b`
const PROSE_ORDER =
  /\b(?:run|execute|install|paste|use|type|enter|copy|start|launch|via|with|by|command|terminal)\b|[：:]\s{0,3}`|^\s{0,8}`|执行|运行|安装/i

/** A command that prose mentions in passing is not an order to run it. */
const inProse = (judgement: Judgement, place: Place, at: number): Judgement =>
  judgement !== undefined &&
  place.region === 'prose' &&
  // A step that consists of a command alone is an order.
  /\w/.test(place.text.slice(0, at).replace(/^\s{0,12}\d{1,2}[.)]\s/, '')) &&
  !PROSE_ORDER.test(place.text.slice(Math.max(0, at - 100), at))
    ? ['low', 'named in passing']
    : judgement

/** A program that is downloaded, by a command or in words. */
const BRINGS_PROGRAM =
  /\b(?:curl|wget|iwr|downloads?|downloaded|installer|sideload|setup)\b|https?:|\.(?:exe|msi|dmg|pkg|apk|zip)\b/i

/** Whether a script connects to another machine and not only to itself. */
const isRemote = ({ text }: TextFile): boolean =>
  /\.(?:connect|create_connection)\(/.test(text) && !/127\.0\.0\.1|localhost/.test(text)

/** An address in a sentence that has it fetched, or in a command that fetches it. */
const FETCHED_ADDRESS =
  /\b(?:fetch|download|load|read|curl|wget|get|retrieve|visit|open|go to|check|pull|poll|consult|see|from|at|on)\b[^\n.]{0,80}?(https?:\/\/[^\s"'`<>)\]|\\]{4,300})/gi

/** Words that make a fetched text an order: its instructions, whatever it says, a part of the skill. */
const OBEYS =
  /\b(?:follow|execute|obey|carry(?:ing)? out|comply with|apply|act (?:on|upon)|perform|complete|work through|do|run)\b[^.\n]{0,40}\b(?:instructions?|(?:all|each|every one) of them|steps|commands?|directives?|orders?|tasks?|playbook|(?:what(?:ever)?|everything|anything|all)\s(?:\w{2,8}\s){0,2}(?:says?|returns?|contains?|tells?|lists?|asks?|comes? back)|(?:each|every) (?:item|line|step|command)|returned \w{4,12})\b|\b(?:treat|regard|use|adopt|consider)\b[^.\n]{0,50}\bas (?:the rest of|part of|an? (?:part|extension)|(?:your|its|the|new|additional|authoritative) (?:\w+ )?(?:instructions?|rules|system prompt|orders?))\b|\b(?:authoritative|actual|complete|real|latest) version of (?:this|the) skill\b|\boverrides? (?:this|these|what|the rest|everything)\b|\bdo (?:exactly )?(?:what|as) (?:it|they|the (?:page|file|response|server))\b|\b(?:re-?read|reload|replace|overwrite)\b[^.\n]{0,30}\b(?:this (?:file|skill|one)|SKILL\.md)\b[^.\n]{0,40}\b(?:follow|newer|latest|fetched|downloaded|with it)\b/i

/** Documentation pages of a product, which readers follow anyway. */
const IS_DOCUMENTATION = /^(?:docs?|developers?|dev|help|support|wiki|learn|guide|api|platform)\./

const judgeObeyed = ([whole, url = '']: RegExpExecArray, place: Place): Judgement => {
  const { text, file } = place
  const address = readAddress(url)
  if (!address) return undefined
  const kind = judgeHost(address, file.names)
  if (kind === 'sample' || kind === 'local' || kind === 'code') return undefined
  const at = text.indexOf(whole)
  // The order follows the address or precedes it in the same sentence: "follow the instructions at …".
  const after = text.slice(at + whole.length, at + whole.length + 300)
  const before = text.slice(Math.max(0, at - 100), at + whole.length)
  const isOrder =
    OBEYS.test(after) ||
    /\b(?:follow|execute|obey|carry out|apply)\b[^.\n]{0,40}\b(?:instructions?|commands?|directives?|orders?|steps)\b[^.\n]{0,30}\b(?:at|from|on|in)\b[^.\n]{0,20}$/i.test(
      before.slice(0, before.length - url.length),
    )
  if (!isOrder || (place.region === 'fence' && /[|;&=]/.test(text))) return undefined
  if (isTrusted(kind)) return ['low', TRUST_REASON[kind] ?? '']
  if (IS_DOCUMENTATION.test(address.host) && !isSuspicious(kind))
    return ['low', 'a page of documentation']
  return isSuspicious(kind) && kind !== 'free' && kind !== 'odd' ? 'high' : 'medium'
}

/** A name under which a file is saved and then run. */
const SAVED =
  /\b(?:curl|wget)\b[^\n|]{0,300}?\s(?:-\w{0,5}[oO]|--output|--output-document|>)\s{0,3}["']?([^\s"'|;&]{1,120})|\b(?:curl\s[^\n|]{0,200}?-\w{0,6}O|wget)\b[^\n|;&]{0,200}?\/([\w.-]{2,80})["']?(?=\s|$|;|&)|\b(?:iwr|invoke-webrequest|start-bitstransfer|downloadfile)\b[^\n|]{0,300}?(?:-outfile|-destination|,)\s{0,3}["']?([^\s"'|;&)]{1,120})|\burlretrieve\([^,\n]{1,200},\s{0,3}["']([^"'\n]{1,120})|\bopen\(\s{0,3}["']([^"'\n]{2,120})["'],\s{0,3}["']wb["']\)\.write\([^\n]{0,40}\b(?:requests\.get|urlopen)\(/i

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What a careful reader does between downloading and running a program. */
const CHECKS =
  /^\s{0,8}(?:\$\s)?(?:less|more|cat|bat|view|vim?|nano|code|shasum|sha\d{3}sum|gpg\s{1,3}--verify|cosign\s{1,3}verify|minisign|openssl\s{1,3}dgst)\b/im

const judgeSaved = (found: RegExpExecArray, place: Place): Judgement => {
  const saved = (found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5] ?? '').replace(
    /^.*[/\\]/,
    '',
  )
  if (
    saved === '' ||
    saved === '-' ||
    saved === 'null' ||
    /\.(?:json|txt|md|csv|png|jpe?g|html?|ya?ml|gpg|asc|sig|pem|crt|sha\d{1,3}|key|pdf|gif|webp|svg|ttf|\w{0,10}ignore|mp[34]|wav|mov|toml|xml|gz|xz|deb)$/i.test(
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
    const isNameless = judgeAddresses(found[0], place.file).some(({ kind }) => isSuspicious(kind))
    if (isRun && isNameless) return 'high'
  }
  const name = saved.length > 1 ? escapePattern(saved) : `/${escapePattern(saved)}(?!\\w)`
  const runs = new RegExp(
    String.raw`(?:\bchmod\s{1,3}(?:-R\s{1,3})?(?:[ugoa]{0,4}\+x|[0-7]{3,4})\s[^\n;]{0,80}${name}|(?:^|[\s;&|(])(?:sudo\s{1,3})?(?:ba|z|da)?sh\s{1,3}(?:-\w\s{1,3})?[^\s;]{0,60}${name}|(?:^|[\s;&|"'])(?:\./|/tmp/|\$env:temp\\)${name}|\b(?:python3?|node|perl|ruby|open|start-process|start|msiexec|installer|cmd /c|os\.\w{4,9}\(|subprocess\.\w{3,16}\()\s{0,3}[^\n;]{0,40}${name})`,
    'im',
  )
  const run = runs.exec(rest)
  if (!run) return undefined
  if (CHECKS.test(rest.slice(0, run.index))) return ['low', 'read or checked before it runs']
  if (
    /\/(?:gitlab|github)\.com\/[^\s/]{1,60}\/[^\s/]{1,80}\/(?:-\/)?releases\//.test(found[0]) &&
    place.region !== 'script'
  )
    return ['low', 'a release of a named repository']
  // For a vendor's script this is the better way: once saved, it can be read.
  return judgeAddresses(found[0], place.file).some(({ kind }) => isTrusted(kind))
    ? undefined
    : judgeSource(found[0] + place.text.slice(found.index + found[0].length).split('\n')[0], place)
}

/** Rules for what installs code from elsewhere, or has a person do so. */
export const INSTALL_RULES: readonly SafetyRule[] = [
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
      /curl|wget|https?:|iwr/i.test(linesAround(file, line, 5)) ? 'high' : 'medium',
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
      `${DOWNLOAD}\\|\\s{0,4}(?:tee\\s[^|\\n]{1,60}\\|\\s{0,4})?(?:${RUNNER}|(?:sudo\\s{1,4})?(?:python3?|node|perl|ruby|php|osascript)\\b(?!\\s{1,4}-(?:[cm]|e)))|(?:\\b(?:ba|z|da)?sh\\b|\\beval\\b|\\bsource\\b|(?:^|\\s)\\.)\\s{1,4}(?:-\\w{1,3}\\s{1,4}){0,3}\\\\?["']?(?:<\\(|\\$\\(|\`)\\s{0,4}(?:curl|wget)\\b[^\\n]{0,300}|\\b(?:python3?|node|perl|ruby)\\s{1,4}-[ce]\\s{1,4}["']?\\$\\(\\s{0,4}(?:curl|wget)\\b[^\\n]{0,300}`,
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
    span: 16,
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
    words: ' /:/|source=/,|src=/,|$home:/|${home}:/| ~:/',
    pattern:
      /\b(?:docker|podman|nerdctl)\s{1,3}(?:container\s{1,3})?run\b[^\n]{0,200}(?:\s(?:-v|--volume)[\s=]{1,3}["']?\/:\/(?![^\s"']{0,40}:ro\b)|--mount[\s=][^\n]{0,60}(?:source|src)=\/,|(?=[^\n]{0,200}(?:--privileged|docker\.sock|--pid[= ]host))[^\n]{0,160}\s(?:-v|--volume)[\s=]{1,3}["']?(?:\$\{?HOME\}?|~):\/)/,
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
    words:
      'exec(|eval(|then(eval|eval)(|new function|loads(|importlib|vm.run|runinthiscontext|executeglobal',
    pattern:
      /\b(?:exec|eval|new Function|marshal\.loads|pickle\.loads|vm\.runIn\w{1,20})\s{0,3}\([^\n]{0,120}\b(?:requests\.get|urlopen|httpx\.get|fetch\(|axios(?:\.get)?\(|urllib)[^\n]{0,200}|\b(?:fetch|axios(?:\.get)?)\([^\n]{1,200}\.then\([^\n]{0,160}(?:\beval\b|\bFunction\(|\brunIn\w{1,20}\()|\b(?:https?|require\(["']https?["']\))\.get\([^\n]{1,200}(?:\beval\b|\bFunction\(|\brunIn\w{1,20})|["'`]https?:\/\/[^\n]{1,160}\)\.then\([^\n]{0,160}\beval\)\(|\.get\([^\n]{1,200}\bnew Function\(|\bExecute(?:Global)?\b[^\n]{0,40}\.Response(?:Text|Body)/i,
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
      'requests.get|requests.post|urlopen|httpx.get|fetch(|axios|=$(curl|="$(curl|=$(wget|=`curl|invoke-restmethod|invoke-webrequest|downloadstring|.recv(',
    span: 10,
    pattern:
      /(?:^|[\s;{(])(?:const\s|let\s|var\s|local\s)?\$?(\w{1,30})\s{0,3}=\s{0,3}(?:await\s)?[^\n=]{0,80}?(?:\brequests\.(?:get|post)\(|\burlopen\(|\bhttpx\.get\(|\bfetch\(|\baxios(?:\.get)?\(|\$\((?:curl|wget)\s|`(?:curl|wget)\s|\bInvoke-RestMethod\b|\bInvoke-WebRequest\b|\bDownloadString\(|\.recv\()[^]{0,700}?(?:\b(?:eval|exec|execSync|compile|os\.(?:system|popen)|subprocess\.\w{3,16}|new Function|child_process\.\w{3,9}|spawn(?:Sync)?)\s{0,3}\(\s{0,3}(?:\[\s{0,3}["'][^\n]{1,40},\s{0,3})?|\b(?:eval|(?:ba|z)?sh\s{1,3}(?:-c|<<<)|(?:python3?|node|perl)\s{1,3}-[ce]|iex|Invoke-Expression)\s{1,3}["'(]{0,2}\$\{?)\1\b(?!\.status|\.ok\b)/,
    judge: ([match], place) => {
      const { file, region } = place
      const kinds = judgeAddresses(expandVariables(match, place), file).map(({ kind }) => kind)
      if (kinds.length > 0 && kinds.every(isTrusted)) return ['low', TRUST_REASON[kinds[0]!] ?? '']
      if (/\.recv\(/.test(match) && !isRemote(file)) return undefined
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
    where: [...PROSE_REGIONS, 'fence'],
    finds: 'an order to fetch a page and follow the instructions on it',
    says: 'has the assistant obey a page elsewhere, which can change',
    remedy: 'Copy the instructions into the skill, so that they can be reviewed.',
    fooled:
      'Vendors who keep their guides on their own site; those are told as low where the host is known.',
    words: '://',
    span: 4,
    pattern: FETCHED_ADDRESS,
    judge: judgeObeyed,
  },
  {
    id: 'system-check-off',
    group,
    severity: 'high',
    where: COMMANDS,
    finds:
      'a switch that turns off what the system checks of programs: quarantine, Gatekeeper, Defender, AMSI, SELinux, or words to get past it',
    says: 'switches off a check that the system makes of programs',
    remedy: 'Keep the check on; ask for a signed program.',
    fooled: 'Unsigned open-source programs that are known to need it.',
    words:
      'xattr|spctl|mppreference|amsi|gatekeeper|defender|smartscreen|setenforce|csrutil|antivirus|anti-virus|play protect|time protection|anyway|杀毒|安全软件|антивирус|защитник|백신|디펜더',
    pattern:
      /\bxattr\s{1,3}(?:-\w{1,4}\s{1,3}){0,3}(?:-?c\b|-\w{0,3}c\w{0,2}\b|-\w{0,2}d\w{0,2}\s{1,3}com\.apple\.quarantine)[^\n]{0,80}|\bxattr\b(?!\s{1,3}-[pl])[^\n]{0,30}com\.apple\.quarantine|\bspctl\s{1,3}--(?:master|global)-disable|\b(?:add|set)-mppreference\b[^\n]{0,60}-(?:exclusion\w{1,12}|disable\w{1,30})|\bamsi(?:initfailed|scanbuffer|utils)\b|\bcsrutil\s{1,3}disable|\bsetenforce\s{1,3}0\b|\b(?:disabl\w{1,3}|turn(?:ing)? off|deactivat\w{1,3}|paus\w{1,3}|exclu\w{2,4}|whitelist|bypass|désactiv\w{1,3}|deaktivier\w{1,3}|desactiv\w{1,3}|disattiv\w{1,3}|tắt|wyłącz)\b[^\n.]{0,40}\b(?:windows defender|defender|anti-?virus|smartscreen|gatekeeper(?!-)|play protect|real-?time protection)\b|\b(?:defender|anti-?virus\w{0,3}|smartscreen|gatekeeper|play protect|real-?time protection)\b[^\n]{0,60}?\b(?:off\b|exclu\w{2,8}|anyway\b|(?:right-click|ctrl-click)[^\n]{0,20}\bopen\b|désactiv\w{1,4}|deaktivier\w{1,3}|ausnahme)|\b(?:click|choose|press|select)\b[^\n.]{0,20}["'“”*`]{0,2}\b(?:more info\b[^\n]{0,30}\brun anyway|run anyway|open anyway|install anyway)|(?:关闭|停用|禁用)[^\n]{0,12}(?:杀毒|Defender|安全软件)|(?:отключ|выключ|добав)\S{1,6}[^\n]{0,30}(?:антивирус|Defender|защитник)|(?:백신|디펜더)[^\n]{0,10}(?:끄|해제|중지)/i,
    judge: ([match], { region, file, line }) => {
      if (region === 'script' || /amsi|spctl/i.test(match)) return 'high'
      // A program that was built here or has long been here is not one just downloaded.
      if (!BRINGS_PROGRAM.test(linesAround(file, line, 6)))
        return ['low', 'nothing is fetched near it']
      return /xattr/.test(match) ? 'medium' : 'high'
    },
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
      '"npx"|"uvx"|"bunx"|"pipx"|pip install|pip3 install|npm install|npm i |npx |uvx |pipx |yarn add|pnpm add|go install|gem install|uv pip',
    pattern:
      /\b(?:pip3?|npm|pnpm|yarn|npx|uvx|pipx|uv|gem)\b\s{1,3}[^\n|;&]{0,80}?(?<!(?:index-url|registry|find-links|-i|-f|proxy)[=\s]{1,3}["']?)((?:git\+)?https?:\/\/[^\s"'`)]{4,200})|"(?:npx|uvx|bunx|pipx|deno)"[^\n}]{0,120}?"((?:git\+)?https?:\/\/[^\s"'`)]{4,200})/gi,
    judge: ([, argument, configured, url = argument ?? configured ?? ''], { file }) =>
      judgePackage(url.replace(/^git\+/, ''), file, 'medium', ({ path }) =>
        /\.(?:tgz|tar\.gz|zip|whl|gem|git)(?:[?#@]|$)/i.test(path),
      ),
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
    judge: ([, url = ''], { file }) => judgePackage(url, file, 'low'),
  },
]
