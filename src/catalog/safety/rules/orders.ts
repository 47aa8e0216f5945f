import { ORDERS_GROUP as group } from '../contexts.ts'
import { PROSE_REGIONS } from '../rule.ts'
import type { Region, SafetyRule } from '../rule.ts'

const SAID: readonly Region[] = [...PROSE_REGIONS, 'fence']

/** A sentence in a fence is usually a sample, or a prompt for another model. */
const lessInFence = (region: Region): 'high' | 'low' => (region === 'fence' ? 'low' : 'high')

/** The beginning of a sentence that forbids telling; the verbs alone are too common. */
const NOT_TELLING =
  'tell|inform|notify|alert|reveal|disclos|mention|show|list|include|report|log |note |record|reference|surface|display|print|say|admit'
    .split('|')
    .flatMap((verb) => ['not ', "n't ", '’t ', 'never '].map((no) => no + verb))
    .join('|')

/** Actions without which an order has no consequence. */
const ACTS =
  /\b(?:run|execut\w{0,3}|send|delet\w{0,3}|install\w{0,3}|upload\w{0,3}|writ\w{0,3}|overwrit\w{0,3}|modify\w{0,3}|commands?|push|transfer|pay|buy|sell|trade|deploy|post|publish|email|commit|shell|script)\b/i

/** Rules for orders to an assistant against its user, its makers or itself. */
export const ORDER_RULES: readonly SafetyRule[] = [
  {
    id: 'override-instructions',
    group,
    severity: 'high',
    where: SAID,
    finds: 'an order to set other instructions aside',
    says: 'tells an assistant to set other instructions aside',
    remedy: 'Delete it; a skill adds to other rules and cancels none.',
    fooled: 'Texts about such attacks; quoted sentences count as low. Other wordings are not seen.',
    words:
      'ignore|disregard|forget|supersede|override|no longer appl|are void|now void|are cancel|are now |are revoked|are obsolete|are suspended|priority over|precedence over|忽略|无视|無視|忘记|忘掉|忘れ|гнорируй|абудь|ignora|ignorez|ignoriere|olvida|esquec|esqueça|oublie|vergiss',
    isWrapped: true,
    pattern:
      /\b(?:ignore|disregard|forget|override)\s{1,3}(?:all\s{1,3}|any\s{1,3}|every\s{1,3})?(?:of\s{1,3})?(?:the\s{1,3}|your\s{1,3}|my\s{1,3}|these\s{1,3})?(?:other\s{1,3})?(?:previous|prior|above|earlier|preceding|existing|former|system|safety|developer|original)\s{1,3}(?:\w{1,12}\s{1,3})?(?:instructions?|prompts?|rules|messages|guidelines|directives?|constraints|restrictions)\b|\b(?:these|this|the following)\s{1,3}(?:instructions?|rules?|skill|directives?|document|file)\s{1,3}(?:supersedes?|overrides?|takes? precedence over|ha(?:s|ve) (?:priority|precedence) over)\s{1,3}(?:all|any|every|your|the)\s{1,3}(?:other|previous|prior|system|existing|safety)\b[^\n]{0,60}|\b(?:ignore|disregard|forget|override)\s{1,3}(?:the\s{1,3}|any\s{1,3}|all\s{1,3})?user['’]?s?\s{1,3}(?:\w{1,12}\s{1,3})?(?:CLAUDE\.md|AGENTS\.md|rules|instructions|settings|preferences|guidelines)|\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:CLAUDE\.md|AGENTS\.md|earlier messages|previous messages|(?:your|the) system prompt)\b|\b(?:prior|previous|earlier|all other|your former)\s{1,3}(?:guidance|instructions?|rules|prompts?|directives?)\s{1,3}(?:no longer appl|(?:are|is)\s{1,3}(?:now\s{1,3})?(?:void|cancell?ed|obsolete|revoked|suspended))\w{0,4}|(?:忽略|无视|無視|忘记|忘掉)(?:掉)?(?:你|您)?(?:之前|以前|先前|上面|以上|此前|所有|一切|系统){1,3}[^\n。]{0,6}(?:指令|指示|规则|提示|命令|说明)|(?:これまで|以前|上記|前)の(?:すべての|全ての)?(?:指示|命令|ルール)を(?:無視|忘れ)|(?<!не\s)игнорируй\S{0,4}\s(?:все\s)?(?:предыдущи|прежни|системны|прошлы)\S{0,3}\s(?:инструкци|указани|правил|команд)|забудь\S{0,2}\s(?:все\s)?(?:предыдущи|прежни)\S{0,3}\s(?:инструкци|указани|правил)|(?<!n['’]|\b(?:no|não|nunca)\s)\b(?:ignor[ae]|ignorez|ignoriere|olvida|esque[cç]a|oublie[zr]?|vergiss)\s(?:(?:todas?|tout(?:es)?|alle)\s)?(?:(?:las|as|les|los|os)\s)?(?:(?:instrucciones|instruções|instructions|consignes|reglas|regras|règles)\s(?:anteriores|previas|prévias|précédentes|del sistema|do sistema)|(?:vorherigen|bisherigen|vorigen)\s(?:Anweisungen|Regeln|Instruktionen))/i,
    judge: (_, { region }) => lessInFence(region),
  },
  {
    id: 'hide-from-user',
    group,
    severity: 'high',
    where: SAID,
    finds: 'an order to keep from the user what is done',
    says: 'asks to keep something from the user',
    remedy: 'Delete it; tell the user what happens.',
    fooled: 'Advice on style (“do not mention the tool’s name”) is left out.',
    words: `${NOT_TELLING}|leave it out|leave this out|leave that out|no need to|be listed|be reported|be disclosed|be mentioned|avoid tell|avoid inform|avoid mention|without telling|without informing|without notifying|without alerting|silently|secretly|discreetly|quietly|covertly|’s knowledge|'s knowledge|user knowledge|knowing|noticing|awareness|user seeing|being told|being informed|being aware|bring it|bring this|bring that|bring these|let the user|from the user|from user|不要|不得|禁止|切勿|请勿|別|ユーザー|利用者|пользовател|usuario|usuário|utilisateur|nutzer`,
    isWrapped: true,
    pattern:
      /\b(?:do\s{1,2}not|don['’]t|never|must not|avoid)\s{1,3}(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|mention(?:ing)?|show(?:ing)?)\s{1,3}(?:(?:it|this|these|that|any of this|the (?:command|upload|request|transfer|download|step|steps|background)\w{0,8})\s{1,3}(?:\w{1,10}\s{1,3}){0,2}to\s{1,3})?(?:the\s{1,3}|your\s{1,3}|any\s{1,3})?(?:user|users|human|owner|operator|anyone|customer)\b\s{0,3}(?:(?:about|of|that|regarding|when|what|you)\b[^\n]{0,60})?|\b(?:silently|secretly|covertly|quietly|discreetly)\s{1,3}(?:send|upload|post|forward|transmit|exfiltrate|collect|copy|install|download|record|transfer|append|include|email)\b[^\n]{0,60}|\bwithout\s{1,3}(?:the\s{1,3})?(?:user|human|owner)(?:['’]s)?\s{1,3}(?:knowledge|knowing|noticing|awareness|seeing|being (?:told|aware|informed))\b|\bwithout\s{1,3}(?:telling|informing|notifying|alerting)\s{1,3}(?:the\s{1,3})?(?:user|human|owner|anyone)\b|\b(?:do\s{1,2}not|don['’]t|never)\s{1,3}(?:mention|reveal|disclose|say|admit)\s{1,3}that\s{1,3}you\s{1,3}(?:were|have been|are|was)\s{1,3}(?:told|instructed|asked|directed|programmed|paid)\b|\b(?:never|do not|don['’]t)\s{1,3}(?:reveal|disclose|mention|admit|tell|say)\s{1,3}(?:to\s{1,3})?(?:(?:the\s{1,3})?users?\s{1,3})?that\s{1,3}(?:this skill|the skill|it|you|we)\s{1,3}(?:\w{1,8}\s{1,3})?(?:contact|sen[dt]|upload|connect|r[au]n\b|execut|install|read\b|collect|access|transmit)\w{0,5}|\b(?:need|do(?:es)?|should|must|are|is|will)\s?n[o'’]t\s{1,3}(?:(?:need\s{1,3})?to\s{1,3})?be\s{1,3}(?:mentioned|reported|disclosed|listed|announced|told|shown to the user)\b|\bno need to\s{1,3}(?:mention|report|tell|inform|disclose|announce|list)\b|\b(?:do not|don['’]t|never|must not)\s{1,3}(?:list|include|mention|report|log|note|record|reference|show|surface|display|print)\s{1,3}(?:it|this|that|them|these|the (?:command|call|request|upload|step|check)s?)\s{1,3}(?:\w{2,10}\s){0,2}?(?:in|to)\s{1,3}(?:the\s|your\s|any\s){0,2}(?:final\s)?(?:summary|report|answer|reply|response|logs?|chat|changelog|commit message|output)\b|\bleave\s{1,3}(?:it|this|that|them)\s{1,3}out of\s{1,3}(?:the|your|any)\s{1,3}(?:report|summary|answer|reply|logs?)\b|\b(?:hide|conceal)\s{1,3}(?:this|it|these|that|them)\s{1,3}(?:\w{1,10}\s{1,3})?from\s{1,3}(?:the\s{1,3})?users?\b|\b(?:do not|don['’]t|never)\s{1,3}(?:bring\s{1,3}(?:it|this|that|these)\s{1,3}up|let\s{1,3}the\s{1,3}user\s{1,3}(?:know|notice|see))\b[^\n]{0,60}|(?:不要|不得|禁止|切勿|请勿|別)(?:告诉|告知|提醒|通知|透露给|向)用户[^。\n]{0,10}(?:这些?|以下|上述|此|步骤|执行了|做了|发送|上传)|(?:このこと|これ(?:ら)?|この\S{1,8})(?:を|は)?(?:ユーザー|利用者)に(?:は)?(?:知らせ|伝え|言わ|教え)(?:ない|ず)|не\s(?:сообщай|говори|рассказывай|показывай)\S{0,2}\s(?:пользовател\S{1,3}\s(?:об?\sэт\S{1,3}|о\sтом|что)|об\sэтом\sпользовател\S{1,3})|\b(?:no\s(?:le|les|se\slo)\s(?:digas?|diga|menciones|informes|muestres)\s(?:nada\s)?al?\susuario\s(?:lo\sque|esto|nada|que|sobre\sest)|não\s(?:diga|conte|informe|mencione)\s(?:isso\s)?ao\susuário\s(?:o\sque|isso|nada|que|sobre\sis)|ne\s(?:dis|dites|parle|mentionne)[rz]?\s(?:rien\s|pas\s)(?:à\s)?l[’']utilisateur\s(?:ce\sque|que|de\sce)|(?:sag|erzähl)e?\s(?:dem|der)\sNutzer(?:in)?\s(?:nichts|davon))/i,
    judge: ([match], { region, text }) => {
      if (
        /\bthat\s{1,3}(?:this|the|it|you|we)\b/i.test(match) ||
        /[\u00C0-\u00FF\u0400-\u04FF\u3040-\u9FFF]|\b[Nn]o (?:le|se)|\bNutzer/u.test(match)
      )
        return lessInFence(region)
      if (/\bthat\s{1,3}you\b/i.test(match)) return lessInFence(region)
      // Leaving something out of a summary is style, unless it affects others.
      if (
        /\bbe\s|\bno need\b|\b(?:summary|report|answer|reply|response|logs?|chat|changelog|message|output)$/i.test(
          match,
        )
      )
        return /https?:|\b(?:curl|wget|npx|upload\w{0,3}|post\w{0,3}|transmit\w{0,3}|send\w{0,3}|exfil\w{0,6}|telemetry|tokens?|credentials?)\b|\.env\b/i.test(
          text.replace(match, ''),
        ) && ACTS.test(text.replace(match, ''))
          ? lessInFence(region)
          : undefined
      const isSending =
        /\b(?:silently|secretly|covertly|discreetly)\b[^\n]{0,20}\b(?:send|upload|post|forward|transmit|exfiltrate|collect|transfer|email|record)\b/i.test(
          match,
        )
      if (isSending) return lessInFence(region)
      // "Do not tell the user to …" is about wording, or about work that the user is spared.
      if (
        /\buser\b[^\n]{0,6}\b(?:to|they|it is|it's|you can|you cannot|how)\b/i.test(match) ||
        /\b(?:tell|show)\w{0,3}\s{1,3}(?:the\s{1,3}|your\s{1,3})?users?\s{1,3}(?:to|how|they|"|')/i.test(
          text.slice(text.indexOf(match)),
        )
      )
        return undefined
      if (/knowledge|knowing|noticing|awareness|being/i.test(match))
        return /\b(?:send|upload|run|execut|install|collect|copy|download|forward|transmit|log)\w{0,4}\b/i.test(
          text,
        ) && !/\b(?:never|not|no)\b/i.test(text)
          ? lessInFence(region)
          : undefined
      if (
        /\b(?:about|of|that|what|you)\b/i.test(match) &&
        /\b(?:this|these|command|upload|request|script|download|background (?:task|process)|instruction|api key|sent|sending|install)/i.test(
          match,
        )
      )
        return lessInFence(region)
      if (
        /\b(?:it|this|these|that)\s{1,3}(?:\w{1,10}\s{1,3}){0,2}to\b/i.test(match) &&
        !/\bshow/i.test(match)
      )
        return lessInFence(region)
      return ACTS.test(text.replace(match, '')) &&
        /https?:|curl|upload|send|secret|token|credential|\bkey/i.test(text)
        ? lessInFence(region)
        : undefined
    },
  },
  {
    id: 'no-confirmation',
    group,
    severity: 'medium',
    where: PROSE_REGIONS,
    finds: 'an order to act without asking, where the act sends, pays, deletes or runs something',
    says: 'has the assistant act without asking',
    remedy: 'Ask before each change that cannot be taken back.',
    fooled: 'Skills for unattended runs say so openly. Only grave acts are told.',
    words:
      "without asking|without confirm|without permission|without approval|without user|without prompting|do not ask|don't ask|don’t ask|never ask|not request|never request|not wait for|no confirmation|skip confirmation|auto-approve",
    isWrapped: true,
    pattern:
      /\b(?:send|transfer|pay|buy|sell|trade|swap|delete|execute (?:all|any|every)|run (?:all|any|every)|upload|install|post|publish|sign|approve|withdraw)\b[^.\n]{0,80}\bwithout\s{1,3}(?:asking|confirm\w{0,6}|permission|(?:user|human|explicit|any|further|prior)\s{1,3}(?:\w{1,10}\s{1,3})?(?:confirm\w{0,6}|permission|approval|consent)|approval|prompting)\b|\b(?:do not|don['’]t|never)\s{1,3}(?:ask|request|require|wait for)\b[^.\n]{0,60}\b(?:permission|confirm\w{0,6}|approval|consent)\b[^.\n]{0,80}|\b(?:skip|bypass|no)\s{1,3}(?:user\s{1,3})?confirmation\b[^.\n]{0,60}\b(?:needed|required|necessary|prompts?)\b/i,
    judge: ([match], { text }) => {
      // "Never delete without asking" demands the question.
      if (/\b(?:never|not|no|don['’]t|avoid)\b[^.\n]{0,80}\bwithout\b/i.test(text)) return undefined
      return /\b(?:send|transfer|pay|buy|sell|trade|swap|sign|withdraw|delete|upload|(?:any|all|every) (?:shell )?commands?)\b/i.test(
        match,
      )
        ? 'medium'
        : undefined
    },
  },
  {
    id: 'never-refuse',
    group,
    severity: 'medium',
    where: PROSE_REGIONS,
    finds:
      'a demand to comply with everything, or the claim that commands were approved beforehand',
    says: 'takes the assistant’s right to refuse',
    remedy: 'Delete it.',
    fooled: 'Rules for persons in play-acting.',
    words:
      'whatever command|any command|all commands|whatever code|whatever instruction|any instruction|refuse|decline|comply|pre-approved|preapproved|pre-authorized|already approved|already authorized|user has consented|has authorized',
    isWrapped: true,
    pattern:
      /\b(?:never|do not|don['’]t|must not|cannot)\s{1,3}(?:ever\s{1,3})?(?:refuse|decline|reject|question|object to)\b[^.\n]{0,40}\b(?:any|requests?|commands?|instructions?|orders?|to (?:run|execute|comply|answer|help))\b|\b(?:run|execute|obey|follow)\s{1,3}(?:any|all|whatever|every)\s{1,3}(?:commands?|code|instructions?|orders?)\b[^.\n]{0,30}\b(?:they|it|comments?|messages?|e-?mails?|issues?|page|body)\b[^.\n]{0,20}\b(?:contains?|says?|asks?|gives?|sends?)\b|\b(?:always|must|unconditionally)\s{1,3}comply\b[^.\n]{0,20}\b(?:with (?:all|any|every|the user)|immediately|without)\b|\b(?:commands?|actions?|operations?|requests?|steps?)\b[^.\n]{0,30}\b(?:are|is|were|have been|has been)\s{1,3}(?:all\s{1,3}|already\s{1,3}|fully\s{1,3})?(?:pre-?approved|pre-?authorized|approved in advance)\b|\b(?:the\s{1,3})?user\s{1,3}(?:has\s{1,3})?(?:already\s{1,3})?(?:pre-?approved|pre-?authorized|authorized|consented to)\s{1,3}(?:all|any|every|these|this)\b/i,
    judge: (match, { text }) =>
      /\bwarrant|legal|invoice|refund|tax|law\b/i.test(text)
        ? undefined
        : /pre-?a/i.test(match[0]) || /\b(?:never|must|whatever|run|execute)\b/i.test(match[0])
          ? 'medium'
          : 'low',
  },
  {
    id: 'fake-system-message',
    group,
    severity: 'high',
    where: ['prose', 'comment', 'front matter', 'table'],
    finds: 'marks of a chat’s own format, or of a message of the system, with an order beside them',
    says: 'pretends to be a message of the system',
    remedy: 'Delete it.',
    fooled: 'Texts about prompt formats; in code blocks it is left out.',
    words:
      '[system|<system|</system|im_start|[inst|[admin|[developer|[root|<<sys>>|system override|system message|system notice|system update|system note|system alert|admin override|admin message',
    span: 6,
    pattern:
      /(?:^|\n)\s{0,10}(?:\[\s{0,2}(?:SYSTEM|ADMIN|DEVELOPER|ROOT|INST)(?:\s{1,2}(?:MESSAGE|OVERRIDE|NOTE|PROMPT|INSTRUCTION|NOTICE|UPDATE))?\s{0,2}\]|<\|im_start\|>\s{0,3}system|<<SYS>>|<\/?system(?:[-_](?:prompt|message|override|instruction|note))?>|\W{0,4}(?:SYSTEM|ADMIN)\s{1,2}(?:OVERRIDE|MESSAGE|NOTICE|UPDATE|NOTE|ALERT)\W{0,4}:)[^]{0,300}?\b(?:ignore|disregard|without telling|skip (?:every|all|any)|must|execute|run|send|reveal|output|you are now|override|do not|forget|unlock|grant|bypass|disable|permission level|answer yes|on behalf of the user|approve)\b/i,
    judge: ([match], { text }) =>
      /\b(?:before|after) (?:each|every) (?:reply|answer|response|message)\b|\boutput nothing\b|\bsay nothing\b/i.test(
        text,
      ) ||
      /ignore|disregard|without telling|skip (?:every|all)|you are now|override|forget|bypass|disable|reveal|send|unlock|grant|permission level|answer yes|on behalf/i.test(
        match,
      )
        ? 'high'
        : 'low',
  },
  {
    id: 'persona-switch',
    group,
    severity: 'medium',
    where: PROSE_REGIONS,
    finds: 'a person or mode that is said to have no rules',
    says: 'puts the assistant into a role without rules',
    remedy: 'Delete it.',
    fooled: 'Play-acting and tests of models.',
    words:
      'developer mode|dan mode|jailbr|unrestricted|no restrictions|without restrictions|uncensored|god mode|do anything now|unfiltered',
    isWrapped: true,
    pattern:
      /\byou\s{1,3}(?:are now|are in|are|will be|will act|operate|have entered)\b[^.\n(]{0,40}\b(?:developer mode|DAN\b|jailbroken|god mode|unrestricted (?:mode|ai|assistant)|(?:no|without(?: any)?) (?:ethical |safety |content )?(?:restrictions|guardrails|limitations|filters)\b|uncensored|unfiltered|do anything now)/i,
  },
  {
    id: 'guards-off',
    group,
    severity: 'medium',
    where: [...PROSE_REGIONS, 'fence'],
    finds: 'an order to get around the safeguards of an assistant or a sandbox',
    says: 'has the assistant get around its safeguards',
    remedy: 'Delete it.',
    fooled: 'Texts about safeguards; only orders are meant.',
    words:
      'bypass|circumvent|disable|evade|guardrail|safety|sandbox|permission prompt|permission check',
    isWrapped: true,
    pattern:
      /(?:^|[.:;!?]\s{1,3}|[-*]\s{1,3}|\b(?:you (?:must|should|can|may)|please|to|and|then|always)\s{1,3})(?:bypass|circumvent|disable|evade|ignore|turn off|work around|get around|skip)\s{1,3}(?:all\s{1,3}|any\s{1,3}|every\s{1,3}|the\s{1,3}|your\s{1,3}|its\s{1,3}|claude['’]s\s{1,3}|model\s{1,3}){0,2}(?:\w{1,12}\s{1,3})?(?:safety\s{1,3}(?:checks?|filters?|guidelines|measures|mechanisms?|protocols?|restrictions|training|guardrails?)|content\s{1,3}(?:filters?|policy|policies|moderation)|guardrails?|permission\s{1,3}(?:checks?|system|prompts?)|security\s{1,3}(?:checks?|scanners?|software|restrictions|warnings?|controls)|sandbox(?:ing)?\s{1,3}(?:restrictions?|protections?|limits?|checks?)|antivirus|audit\s{1,3}log(?:s|ging)?)\b/i,
    judge: (_, { region, text }) =>
      // A label names an option of the program in the command below.
      /^[^.]{0,60}:\s*$/.test(text)
        ? undefined
        : region === 'fence' ||
            /\b(?:attempts?|attackers?|try|trying|tries|users? (?:who|trying)|ways? to|techniques?|whether|could|might|if)\b/i.test(
              text,
            )
          ? 'low'
          : 'medium',
  },
  {
    id: 'covers-tracks',
    group,
    severity: 'high',
    where: ['fence', 'script', 'prose', 'comment', 'config'],
    finds: 'a command or an order that wipes the history or the logs of what was done',
    says: 'wipes the traces of what was done',
    remedy: 'Delete it.',
    fooled: 'Cleaning of build logs is left out.',
    words:
      'history|histfile|wevtutil|.bash_history|/var/log|utmp|wtmp|.claude/|.codex/|clear-eventlog|traces|evidence|tracks',
    pattern:
      /\bhistory\s{1,3}-c\b(?!;?\s{0,3}history\s{1,3}-r)|\bunset\s{1,3}HISTFILE\b|\bHISTFILE\s{0,2}=\s{0,2}\/dev\/null|\bHISTSIZE\s{0,2}=\s{0,2}0\b|\bset\s{1,3}\+o\s{1,3}history\b|(?:\brm\b[^\n;]{0,40}|\bshred\b[^\n;]{0,40}|>\s{0,2}|\btruncate\b[^\n;]{0,30})~?\/?\.(?:bash|zsh)_history\b|\brm\s{1,3}-\w{0,4}\s{1,3}["']?~\/\.(?:claude\/(?:projects|history)|codex\/(?:sessions|history))\S{0,20}|\bwevtutil(?:\.exe)?\s{1,3}cl\b|\bClear-EventLog\b|(?:\brm\s{1,3}-\w{0,4}\s{0,3}|>\s{0,2}|\btruncate\b[^\n;]{0,30}\s)\/var\/log\/(?:auth\.log|secure(?![.\w])|syslog|wtmp|btmp|lastlog|audit|\*)|\b(?:delete|remove|erase|wipe|cover|clean up)\b[^.\n]{0,30}\b(?:all traces|any traces|your tracks|the evidence|all evidence)\b/i,
    judge: (_, { region }) => (region === 'prose' ? 'medium' : 'high'),
  },
  {
    id: 'forces-use',
    group,
    severity: 'medium',
    where: ['front matter', 'prose'],
    finds: 'a description that orders itself to be used always, or before everything else',
    says: 'orders itself to be used whatever the task is',
    remedy: 'Say when it is of use, and let the assistant choose.',
    fooled:
      'Skills that order other skills are made to come first; a condition (“before any commit”) is left out.',
    words:
      'over every other|over all other|user input|every reply|any reply|each reply|any conversation|description:|always use this|always load|always invoke|every conversation|every session|every message|every request|every task|any other skill|all other skills|before responding|before any response',
    span: 4,
    pattern:
      /\b(?:always|must(?: always)?|should always)\s{1,3}(?:be\s{1,3}(?:used|loaded|invoked|called|activated|triggered|applied)|(?:use|load|invoke|call|activate|trigger|apply|run)\s{1,3}(?:this(?:\s{1,3}(?:skill|tool))?|it|the\s{1,3}\S{1,30}\s{1,3}(?:skill|tool)))\b[^.\n]{0,60}\b(?:first\b(?!\s{1,3}(?:time|when|if|step))|before (?:any|all|every) other (?:skill|tool)s?|(?:for|in|on|at|to|with) (?:the (?:start|beginning) of )?(?:every|each|any|all) (?:single )?(?:conversation|session|message|request|prompt|task|query|response|interaction|question)s?\b|no matter what|regardless of (?:the )?(?:task|request|context)|even if (?:un|ir)rel\w{3,8})|\bmust\s{1,3}run\s{1,3}first\b[^.\n]{0,30}\b(?:any|every|all|each)\b|\b(?:overrides?|takes? (?:priority|precedence) over|supersedes?|instead of|prefer(?:red)?(?: this(?: skill)?| it)? over|disable|replaces?)\b[^.\n]{0,20}\b(?:all|any|every) other (?:skill|tool)s?\b|\b(?:must|always|important|required|mandatory|shall)\b[^.\n]{0,40}\b(?:load|use|invoke|call|activate|consult|read|run|appl[iy])\w{0,4}\b[^.\n]{0,40}\b(?:before|at the (?:start|beginning) of|prior to|on|for)\s{1,3}(?:any|every|each|all)\s{1,3}(?:\w{1,10}\s)?(?:conversation|session|message|request|prompt|task|query|response|reply|answer|interaction|question|turn)s?\b(?!\s{1,3}(?:about|on|of|related|regarding|involving|that|which|where|with|in|for|to|from)\b)|\b(?:use|load|invoke|call|apply)\s{1,3}(?:this|it|me)\b[^.\n]{0,40}\b(?:at the (?:start|beginning) of|before)\s{1,3}(?:every|each|any|all)\s{1,3}(?:single\s)?(?:conversation|session|message|request|prompt|response|reply|answer|turn)s?\b|\buse this (?:skill|tool)?\s{0,3}(?:for|in|on) (?:every|all|any) (?:single )?(?:conversation|session|message|request|prompt|task|query|response|interaction)s?\b/i,
    judge: (found, { region, text, file, line }) => {
      if (region === 'front matter') {
        const start = file.lines
          .slice(Math.max(0, line - 8), line + 1)
          .findLastIndex((one) => /^[\w-]{2,30}:/.test(one))
        const key =
          start < 0 ? '' : (file.lines.slice(Math.max(0, line - 8), line + 1)[start] ?? '')
        if (!/^(?:description|when_to_use|when-to-use)\s{0,3}:/.test(key)) return undefined
        return 'medium'
      }
      return /\b(?:every|each|any|all)\b/i.test(found[0]) &&
        /\b(?:other skill|other tool)/i.test(text)
        ? 'low'
        : undefined
    },
  },
  {
    id: 'unrestricted-tools',
    group,
    severity: 'note',
    where: ['front matter'],
    finds:
      'a declaration that allows every command of the shell, or every tool, in a skill with a grave finding; alone it stands under “What it brings and needs”',
    says: 'asks for the right to run any command without a question',
    remedy: 'Name the commands: `Bash(git status:*)`.',
    fooled: 'Most authors who write `Bash` alone mean a few commands.',
    isCompanion: true,
    words: 'allowed-tools|allowed_tools',
    span: 12,
    pattern: /^allowed[-_]tools\s{0,3}:[^\n]{0,400}(?:\n[ \t]{0,8}-[ \t][^\n]{1,100}){0,10}/,
    judge: ([match], { file, line }) => {
      if (!/^allowed[-_]tools/.test(file.lines[line] ?? '')) return undefined
      const tools: readonly string[] =
        match.replace(/^[^:]*:/, '').match(/[\w*]+(?:\([^)]{0,200}\))?/g) ?? []
      return tools.some((tool) =>
        /^(?:\*|(?:Bash|Shell|run_shell_command)(?:\(\s*(?:\*|:\*)?\s*\))?)$/i.test(tool),
      )
        ? 'note'
        : undefined
    },
  },
]
