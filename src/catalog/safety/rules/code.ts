import { COMMANDS } from '../rule.ts'
import type { SafetyRule } from '../rule.ts'

const destroys = 'Destroys'
const disguised = 'Disguised code'

const SHELL = String.raw`(?:sudo\s{1,3})?(?:\/bin\/|\/usr\/bin\/env\s{1,3})?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby|osascript|powershell|pwsh|php)\b(?!\s{1,3}-[cme]\b)`

/** Commands that destroy data, code made unreadable on purpose, and files that the scan cannot read. */
export const CODE_RULES: readonly SafetyRule[] = [
  {
    id: 'delete-everything',
    group: destroys,
    severity: 'high',
    where: COMMANDS,
    finds: 'a recursive delete of the root or the home folder, or a disk that is written over',
    says: 'deletes from the root or the home folder, or writes over a disk',
    remedy: 'Name the folder; try with a dry run first.',
    fooled: 'Lists of what is to be refused.',
    words: 'rm -|rm --|mkfs|of=/dev/|rmtree|rimraf|remove-item|format c:|rd /s|del /|shred |:(){',
    pattern:
      /\brm\s{1,4}(?:-{1,2}[\w-]{1,20}\s{1,4}){0,6}-(?:[a-zA-Z]{0,6}[rR][a-zA-Z]{0,6}|-recursive)\s{1,4}(?:-{1,2}[\w=-]{1,30}\s{1,4}){0,6}["']?(?:\/(?:\*|\s|$|["'])|~\/?(?:\*|\s|$|["'])|\$\{?HOME\}?\/?["']?(?:\*|\s|$)|\/(?:etc|usr|bin|home|Users|var|lib|boot|System|Library)\/?\*?["']?(?:\s|$))|\bmkfs(?:\.\w{2,5})?\s{1,3}(?:-\w{1,3}\s{1,3}){0,3}\/dev\/(?!sd[X?]|nvmeX|diskN|loop)\w|\bdd\s[^\n|;]{0,80}\bof=\/dev\/(?:sd(?![X?])|hd|nvme|disk(?!N)|xvd|mmcblk)\w{0,6}|\bshutil\.rmtree\(\s{0,3}(?:["']\/["']|os\.path\.expanduser\(["']~["']\)|Path\.home\(\))\s{0,3}[,)]|\bRemove-Item\b[^\n]{0,60}-Recurse\b[^\n]{0,60}\b(?:C:\\?["'\s*]|\$env:USERPROFILE["'\s]|\$HOME["'\s])|\b(?:rd|rmdir)\s{1,3}\/s\s[^\n]{0,10}(?:C:\\?(?:\s|$)|%USERPROFILE%)|\bformat\s{1,3}c:\s{0,3}(?:\/\w|$)|:\s?\(\s?\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;\s?:/,
    judge: ([match], { region }) =>
      region === 'script'
        ? 'high'
        : match.startsWith('mkfs')
          ? ['low', 'a disk that is named']
          : region === 'prose' || region === 'table'
            ? 'medium'
            : 'high',
  },
  {
    id: 'open-permissions',
    group: destroys,
    severity: 'medium',
    where: ['fence', 'script', 'config', 'comment'],
    finds: 'rights for everybody, on folders of the system or the whole disk',
    says: 'opens folders of the system to everybody',
    remedy: 'Give the one right to the one user.',
    fooled: 'Lines of container files.',
    words: 'chmod|chown|icacls',
    pattern:
      /\bchmod\s{1,3}(?:-\w{1,3}\s{1,3}){0,2}(?:0?777|a\+rwx|ugo\+rwx)\s{1,3}["']?(?:\/(?:\s|$)|\/(?:etc|usr|bin|var|lib|home|root|opt|System|Library)\b|~\/?(?:\s|$)|\$HOME\/?(?:\s|$))|\bchown\s{1,3}-R\s{1,3}\S{1,40}\s{1,3}["']?\/(?:etc|usr|bin|lib|boot)?\/?(?:\s|$)/,
  },
  {
    id: 'crypto-miner',
    group: destroys,
    severity: 'high',
    where: COMMANDS,
    finds: 'a program or an address that mines coins',
    says: 'mines coins on the reader’s machine',
    remedy: 'Delete it.',
    fooled: 'Texts about detecting miners.',
    words:
      ' -o pool| -o xmr| -o gulf|xmr|xmrig|stratum+tcp|stratum+ssl|minerd|cpuminer|cryptonight|coinhive',
    pattern:
      /\bstratum\+(?:tcp|ssl):\/\/[^\s"']{3,100}|(?:\.\/|\/|\bnohup\s{1,3}|\bsudo\s{1,3})(?:xmrig|minerd|cpuminer)\b[^\n]{0,100}|\bcoinhive\.min\.js|\bxmrig\b[^\n]{0,60}(?:-o|--url|--donate|releases\/download)|\s-o\s{1,3}[\w.+:/-]{0,40}(?:pool|mine|xmr)[\w.-]{0,40}:\d{2,5}\b|(?<![\w])4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}(?!\w)/i,
  },
  {
    id: 'decode-and-run',
    group: disguised,
    severity: 'high',
    where: COMMANDS,
    finds: 'something that is decoded or unscrambled and run in the same breath',
    says: 'runs something it decodes first',
    remedy: 'Decode it and read it; ship code that can be read.',
    fooled: 'Samples of attacks in lessons.',
    words:
      'base64|atob(|b64decode|frombase64|xxd|openssl|-enc|fromcharcode|unhexlify|bytes.fromhex|marshal|codecs.decode|rot13|zlib.decompress|gunzip',
    span: 3,
    pattern: new RegExp(
      String.raw`\b(?:base64\s{1,3}(?:-\w{0,3}[dD]\w{0,3}|--decode)|openssl\s{1,3}(?:enc|base64)\b[^|\n]{0,60}\s-d\b|xxd\s{1,3}-r\b|rev\b|gunzip\b|tr\s{1,3}['"][^|\n]{1,80})[^|\n]{0,200}\|\s{0,4}(?:(?:gunzip|rev|tr|base64|xxd)\b[^|\n]{0,40}\|\s{0,4})?${SHELL}|(?:\beval\b|\b(?:ba|z|da)?sh\s{1,3}-c|\bsource\b|\bexec\b)\s{0,4}["']?(?:\$\(|\x60|<\()[^\n]{0,200}?(?:base64\s{1,3}(?:-\w{0,3}[dD]|--decode)|xxd\s{1,3}-r|openssl\s{1,3}(?:enc|base64)\b[^\n]{0,60}-d\b)|\b(?:eval|Function|setTimeout|execSync|exec|spawn\w{0,4})\s{0,3}\(\s{0,3}(?:\w{1,20}\(\s{0,3}){0,2}(?:atob\(|Buffer\.from\([^\n]{1,200}?,\s{0,3}["'](?:base64|hex)["']|unescape\(|String\.fromCharCode\()|\b(?:exec|eval|os\.system|subprocess\.\w{3,12}|compile|(?:marshal|pickle)\.loads)\s{0,3}\(\s{0,3}(?:[\w.]{1,24}\(\s{0,3}){0,3}(?:(?:base64\.)?b64decode|(?:binascii\.)?unhexlify|bytes\.fromhex|codecs\.decode|zlib\.decompress|marshal\.loads|__import__\(["'](?:base64|zlib|codecs)["']\))|\bpowershell(?:\.exe)?\b[^\n|]{0,120}\s-(?:e|ec|en|enc|encodedcommand)\s{1,3}["']?[A-Za-z0-9+/=]{16,}|\bFromBase64String\([^\n]{1,300}(?:\b(?:iex|invoke-expression)\b|\[scriptblock\]::Create)|\b(?:iex|invoke-expression)\b[^\n]{0,120}FromBase64String`,
      'i',
    ),
  },
  {
    id: 'decode-then-run',
    group: disguised,
    severity: 'high',
    where: ['fence', 'script', 'comment', 'config'],
    finds: 'a variable that holds something decoded, and is run within a few lines',
    says: 'decodes something into a variable and runs it',
    remedy: 'Decode it and read it; ship code that can be read.',
    fooled: 'A second variable between the two hides it.',
    words:
      'base64|atob(|b64decode|unhexlify|bytes.fromhex|fromcharcode|zlib.decompress|buffer.from',
    span: 8,
    pattern:
      /(?:^|[\s;{(])(?:const\s|let\s|var\s|local\s|export\s)?\$?(\w{1,30})\s{0,3}=\s{0,3}[^\n]{0,200}?(?:base64\s{1,3}(?:-d|-D|--decode)|\batob\(|b64decode\(|unhexlify\(|bytes\.fromhex\(|String\.fromCharCode\(|zlib\.decompress\(|["'](?:base64|hex)["']\))[^]{0,800}?(?:\b(?:eval|exec|execSync|os\.system|subprocess\.\w{3,12}|new Function|Function|child_process\.\w{3,9}|spawnSync?|\w{1,12}\.(?:Popen|check_output|getoutput|system))\s{0,3}\(\s{0,3}(?:\w{0,12}\(\s{0,3})?|\b(?:eval|(?:ba|z)?sh\s{1,3}-c|exec)\s{1,3}["']?\$\{?)\1\b/,
  },
  {
    id: 'split-command',
    group: disguised,
    severity: 'high',
    where: ['fence', 'script', 'prose', 'comment', 'config'],
    finds: 'a command put together from pieces so that its name does not stand there',
    says: 'puts a command together from pieces, so that nobody finds its name',
    remedy: 'Write the command out.',
    fooled: 'Puzzles and lessons. Pieces in several variables are not joined.',
    words:
      "${ifs}|$ifs|c\"u|c'u|c\"\"u|c''u|\"cu\"|'cu'|w\"g|w'g|w\"\"g|w''g|b\"a|b'a|b\"\"a|b''a|cu\\r|\\x63\\x75|$'\\x|printf '\\|printf \"\\|chr(|getattr(|fromcharcode| -s http| -fssl http| -qo- http|_0x|\\u0065",
    pattern:
      /\b(?:curl|wget|cat|bash|sh|nc|rm)\$\{?IFS\}?[^\s]{1,80}|\b(?:c["'\\]{1,2}u["'\\]{0,2}r["'\\]{0,2}l|w["'\\]{1,2}g["'\\]{0,2}e["'\\]{0,2}t|b["'\\]{1,2}a["'\\]{0,2}s["'\\]{0,2}h)\b(?=\s)|["']cu["']\s{0,2}[+.]\s{0,2}["']rl|["']ev["']\s{0,2}\+\s{0,2}["']al|["']ex["']\s{0,2}\+\s{0,2}["']ec|\bprintf\s{1,3}(?:%b\s{1,3})?["'](?:\\x[0-9a-f]{2}){6,400}[^"'\n]{0,20}["']\s{0,3}\|\s{0,3}(?:ba|z)?sh\b|\$'(?:\\x[0-9a-f]{2}){3,40}[^']{0,40}'|\$\(\s{0,2}printf\s{1,3}["'](?:\\x?[0-9a-f]{2,3}){2,40}|(?:\\x[0-9a-f]{2}){24,400}|(?:\bchr\(\d{2,3}\)\s{0,2}[+,]\s{0,2}){6,200}|\bgetattr\(\s{0,3}(?:__import__\(|os|builtins|__builtins__)[^\n]{0,60}["'][a-z]{1,6}["']\s{0,2}\+|\$\{?[a-z_]\w{0,11}\}?\$\{?[a-z_]\w{0,11}\}?\s[^\n|]{0,80}https?:\/\/[^\n|]{1,200}\|\s{0,3}\$|String\.fromCharCode\((?:\s{0,2}(?:0x)?[0-9a-f]{2,3}\s{0,2},){12,400}/i,
    judge: ([match], { region }) =>
      /^(?:\\x|String)/i.test(match) && region !== 'script' ? 'low' : 'high',
  },
  {
    id: 'web-shell',
    group: disguised,
    severity: 'high',
    where: ['script', 'fence'],
    finds: 'a server that runs what a request says',
    says: 'runs whatever a request over the network says',
    remedy: 'Delete it, or name the few commands it may run.',
    fooled: 'Samples of faulty code, where a comment says so or not.',
    words: 'req.|request.|$_get|$_post|$_request|recv(',
    pattern:
      /\b(?:eval|exec|execSync|system|os\.system|shell_exec|passthru|popen|subprocess\.\w{3,12})\s{0,3}\(\s{0,3}(?:req\.(?:body|query|params)\b|request\.(?:args|form|json|data|get_json|values|GET|POST)\b|\$_(?:GET|POST|REQUEST|COOKIE)\[|\w{1,12}\.recv\()/,
    judge: (_, { region }) => (region === 'script' ? 'high' : 'low'),
  },
  {
    id: 'packed-code',
    group: disguised,
    severity: 'medium',
    where: ['script'],
    finds: 'a script that a packer made unreadable',
    says: 'is packed so that nobody can read it',
    remedy: 'Ship the source.',
    fooled: 'Minified libraries have other names and are left out.',
    words: '_0x|eval(function(p,a,c,k,e|jsfuck|pyarmor|__pyarmor__',
    pattern:
      /(?:\b_0x[0-9a-f]{4,6}\b[^\n]{0,200}){4}|eval\(function\(p,a,c,k,e,|\b__pyarmor__\(|from\s{1,3}pyarmor_runtime/,
  },
  // Of files themselves, not their text.
  {
    id: 'executable-file',
    group: disguised,
    severity: 'medium',
    where: ['file'],
    finds: 'a program in machine code, by its first bytes, and Python bytecode',
    says: 'is a program that nobody can read',
    remedy: 'Build it from source, or take it from its vendor.',
    fooled: 'Programs inside of archives are not looked for.',
  },
  {
    id: 'archive-file',
    group: disguised,
    severity: 'note',
    where: ['file'],
    finds: 'an archive inside the skill',
    says: 'is an archive, which the scan does not open',
    remedy: 'Look into it before anything of it is used.',
    fooled: 'Office documents and fonts are archives as well, and left out.',
  },
]
