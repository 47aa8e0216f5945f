import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokens } from '../src/catalog/tokens.ts'
import { BENCH_MODULES, findMissing } from './installed.ts'
import { readOptions } from './options.ts'

const options = readOptions(
  'Compares the estimate of tokens with the o200k of gpt-tokenizer; fails where it is too far off.',
  {
    corpus: { type: 'string', about: 'a folder with SKILL.md and other Markdown files below it' },
  },
)

const missing = findMissing('gpt-tokenizer')
if (missing !== undefined) {
  console.error(missing)
  process.exit(1)
}
// Named by its path, so that the types of the tree can be checked without it.
const { countTokens } = (await import(
  join(BENCH_MODULES, 'gpt-tokenizer/esm/encoding/o200k_base.js')
)) as { countTokens: (text: string, options?: object) => number }

/** Sentences as skills write them; the corpus has too few of these languages. */
const SENTENCES = {
  Japanese: [
    '表計算のファイルを開き、空のセルと同じ行を探して、直すべき場所を一覧にします。',
    'このスキルは、問い合わせのメールに返事を書くときに使います。相手の質問をまとめ、答えを短く書き、次に何をするかを伝えてください。',
    'テストが失敗したら、まずログを読み、原因を一つに絞ってからコードを直します。わからないときは、ユーザーに確認してください。',
    '翻訳の前に用語集を読みます。製品の名前はそのまま残し、見出しの数を変えません。',
    'データベースを変更する手順：バックアップを取り、マイグレーションを実行し、結果を確認する。',
  ],
  Korean: [
    '스프레드시트를 열어 빈 칸과 같은 줄을 찾고, 고쳐야 할 곳을 목록으로 만듭니다.',
    '이 스킬은 문의 메일에 답장을 쓸 때 사용합니다. 질문을 정리하고 짧게 답한 뒤 다음에 할 일을 알려 주세요.',
    '테스트가 실패하면 먼저 로그를 읽고 원인을 하나로 좁힌 다음 코드를 고칩니다. 모르면 사용자에게 물어보세요.',
    '번역하기 전에 용어집을 읽습니다. 제품 이름은 그대로 두고 제목의 수를 바꾸지 않습니다.',
    '데이터베이스를 바꾸는 순서: 백업을 만들고, 마이그레이션을 실행하고, 결과를 확인합니다.',
  ],
  Chinese: [
    '打开表格文件，查找空单元格和重复的行，并列出需要修改的地方。',
    '回复客户邮件时使用本技能：先总结对方的问题，再给出简短的答案，最后说明下一步。',
    '测试失败时先阅读日志，把原因缩小到一个，然后再修改代码。不清楚的时候请询问用户。',
    '翻译之前先读术语表，保留产品名称，不要改变标题的数量。',
    '修改数据库的步骤：先备份，再执行迁移，最后检查结果。',
  ],
  others: [
    'Откройте таблицу, найдите пустые ячейки и повторы и составьте список мест, которые нужно исправить.',
    'Если тест не проходит, сначала прочитайте журнал и найдите одну причину, а потом исправляйте код.',
    'Öffne die Tabelle, suche leere Zellen und doppelte Zeilen und liste auf, was zu ändern ist.',
    'Schlägt ein Test fehl, lies zuerst das Protokoll, grenze die Ursache ein und ändere erst danach den Quelltext.',
    "Cette compétence lit le fichier, repère les erreurs et propose une correction claire à l'utilisateur.",
    'Esta habilidad revisa el código y propone cambios concretos antes de guardar los archivos.',
    'Use esta habilidade quando alguém pedir a revisão de um texto ou o resumo de uma reunião.',
    'Αυτή η δεξιότητα διαβάζει το αρχείο, βρίσκει λάθη και προτείνει διορθώσεις.',
    'تساعد هذه المهارة على مراجعة النصوص وتصحيح الأخطاء واقتراح صياغة أوضح.',
  ],
}

/** Largest median error; in scripts without blanks a sign weighs more, and a sentence is short. */
const LIMITS = { corpus: 0.1, Japanese: 0.2, Korean: 0.2, Chinese: 0.2, others: 0.3 }

const readCorpus = (folder: string): string[] =>
  globSync('**/*.md', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((text) => text.trim() !== '')

const texts: Readonly<Record<string, readonly string[]>> = {
  ...(options.corpus === undefined ? {} : { corpus: readCorpus(options.corpus) }),
  ...SENTENCES,
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(8)

let isGood = true
console.log('texts'.padEnd(12), 'count', '  median', '    90 %', '   worst', '   allowed median')
for (const [name, all] of Object.entries(texts)) {
  const errors = all
    .map((text) => {
      const counted = countTokens(text)
      return Math.abs(estimateTokens(text) - counted) / counted
    })
    .sort((a, b) => a - b)
  const at = (share: number): number => errors[Math.floor(share * (errors.length - 1))] ?? 0
  const limit = LIMITS[name as keyof typeof LIMITS]
  isGood &&= at(0.5) <= limit
  const columns = [at(0.5), at(0.9), at(1), limit].map(percent)
  console.log(name.padEnd(12), String(errors.length).padStart(5), ...columns)
}
if (options.corpus === undefined) console.log('corpus       not measured: no folder was given')
if (!isGood) {
  console.error('The estimate is too far off; fit the weights of src/catalog/tokens.ts again.')
  process.exitCode = 1
}
