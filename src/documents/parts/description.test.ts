import { describe, expect, test } from 'vitest'
import { LANGUAGES, readDescription } from './description.ts'

test.each<[string, string[]]>([
  ['Sorts. Not for films.', ['Not for films.']],
  ["Sorts. Not for films. Don't use for maps.", ['Not for films.', "Don't use for maps."]],
  // What takes more words, or names another skill, stands under Activation alone.
  ['Sorts. Not for films, maps, pictures, letters, or whatever else is no book at all.', []],
  ['Sorts. Not for films. For maps, see map-sort.', []],
  ['Sorts. For maps, use map-sort instead.', []],
])('what %j is not for is told again as %j', (description, told) => {
  expect(readDescription(description).unsuited).toEqual(told)
})

describe('what a description states', () => {
  test.each([
    [
      'Turns logs into tables. Use when a log must be read. Not for traces.',
      ['whenToUse', 'whenNotToUse'],
    ],
    ['Sorts. Inspired by a clerk. Use when asked.', ['whenToUse']],
    ['Sorts. Requires a shelf name.', ['inputs']],
    ['Sorts. Requires a ladder.', ['prerequisites']],
    ['Sorts. Strictly read-only.', ['limitations']],
    ['Sorts. Reads only a few lines.', ['inputs']],
    ['Sorts. For rare words, please see the notes. Use when asked.', ['whenToUse']],
    ["Sorts. Don't use for lists.", ['whenNotToUse']],
    [
      'Sorts words. Requires Node 20. Returns one word a line. Supports UTF-8.',
      ['prerequisites', 'outputs', 'capabilities'],
    ],
    [
      'Sorts words. Any alphabet goes, even mixed ones. Use when words are many.',
      ['capabilities', 'whenToUse'],
    ],
    ['Sorts words. Use when words are many. Written in Perl by hand.', ['whenToUse']],
    ['Sorts. Always read the manual first. Use when asked.', ['whenToUse']],
    ['Sorts. For sorting numbers, see number-sort.', ['whenNotToUse']],
    ['Sorts. For further words, see the reference files.', []],
    ['Sorts. You read, it sorts the whole shelf. Use when asked.', ['whenToUse']],
    ['Sorts. Read this before shelving.', ['whenToUse']],
    ['Sorts. Use only for paper books.', ['whenToUse']],
    ['A tool used to sort "all of the things".', []],
    ['Sorts. Master the art of the shelf. Use when asked.', ['whenToUse']],
    ['Sorts. Masters three shelves at once.', []],
    ['Sorts. Only works on Linux.', ['limitations']],
  ])('%s', (description, stated) => {
    expect([...readDescription(description).stated].sort()).toEqual([...stated].sort())
  })

  test('the first sentence is the summary, which says a part as well', () => {
    const { stated } = readDescription('Use when a log must be read. Not for traces.')
    expect([...stated]).toEqual(['whenToUse', 'whenNotToUse'])
  })

  test('where the author wrote a summary, the first sentence is as good as the others', () => {
    const { stated } = readDescription('Supports UTF-8. Not for traces.', false)
    expect([...stated]).toEqual(['capabilities', 'whenNotToUse'])
  })

  test.each([
    [
      'Posts. Triggers on "post this to the blog", "blog it", "write it down", or \'why is it not published?\'.',
      ['post this to the blog', 'blog it', 'write it down', 'why is it not published?'],
    ],
    // Keywords among them: all stand under Activation alone.
    ['Posts. Triggers on "post this to the blog", "blog", or \'why is it not published?\'.', []],
    ["Helps when users ask 'how much should I charge,' or 'pricing.'", []],
    [
      'Use when users say "compress image", "convert to webp", or "reduce image size".',
      ['compress image', 'convert to webp', 'reduce image size'],
    ],
    ['Use when users say "image list", "image", or "compress image".', []],
    ['Not for when users say "post this to the blog".', []],
    ['Writes "the quick brown fox" to disk.', []],
    ['Asks "explain how X works" when asked.', []],
    ['Use when the user says "what would happen if".', []],
    ['Posts. Use when asked for "test coverage report", "create a report".', []],
    ['Use when asked for "get organized / stay focused" or "read what is in".', []],
    ['Use when the user says "what is in" or "the search got slow".', []],
    [
      'CREATE: "make a PDF", "write a proposal", "convert it to PDF".',
      ['make a PDF', 'write a proposal', 'convert it to PDF'],
    ],
    ['CREATE: "make a PDF", "write a proposal".', []],
    ['当用户说"会议内容"或"谁说了什么"时使用。', []],
    ['当用户说"帮我写一封邮件"时使用。', ['帮我写一封邮件']],
    ['ユーザーが「このメールを書いて」と言ったときに使用します。', ['このメールを書いて']],
  ])('prompts of %s', (description, prompts) => {
    expect(readDescription(description).prompts).toEqual(prompts)
  })
})

/** Sentences of a language that state a part, and some that come near. */
const WRITTEN: Record<string, { hits: [string, string][]; misses: string[] }> = {
  English: {
    hits: [
      ['Use when the log is longer than a page.', 'whenToUse'],
      ['Do not use this for binary files.', 'whenNotToUse'],
      ['Requires Python 3.11 and pandas.', 'prerequisites'],
      ['Does not support nested archives.', 'limitations'],
      ['Returns a table with one row a day.', 'outputs'],
    ],
    misses: [
      'Users of the tool like it.',
      'A requirement engineer wrote it.',
      'It was not easy to write.',
      'Limits are for mathematicians.',
      'Returning visitors are counted twice.',
    ],
  },
  Chinese: {
    hits: [
      ['当用户需要整理会议记录时使用。', 'whenToUse'],
      ['不适用于图片文件。', 'whenNotToUse'],
      ['需要安装 Python 3.11。', 'prerequisites'],
      ['仅支持 PDF 格式。', 'limitations'],
      ['支持导出为多种格式。', 'capabilities'],
    ],
    misses: [
      '会议记录很重要。',
      '格式由团队决定。',
      '作者是一名工程师。',
      '版本号每月更新。',
      '语言简洁明了。',
    ],
  },
  Japanese: {
    hits: [
      ['議事録を整理したいときに使用します。', 'whenToUse'],
      ['画像ファイルには使用しないでください。', 'whenNotToUse'],
      ['Python 3.11 のインストールが必要です。', 'prerequisites'],
      ['表形式には対応していません。', 'limitations'],
      ['複数の言語に対応しています。', 'capabilities'],
    ],
    misses: [
      '議事録はとても大切です。',
      '形式はチームが決めます。',
      '作者はエンジニアです。',
      'とても読みやすい文章です。',
      '毎月更新されるリストです。',
    ],
  },
  Korean: {
    hits: [
      ['회의록을 정리할 때 사용합니다.', 'whenToUse'],
      ['이미지 파일에는 사용하지 마세요.', 'whenNotToUse'],
      ['Python 3.11이 필요합니다.', 'prerequisites'],
      ['표 형식은 지원하지 않습니다.', 'limitations'],
      ['여러 언어를 지원합니다.', 'capabilities'],
    ],
    misses: [
      '회의록은 아주 중요합니다.',
      '형식은 팀이 정합니다.',
      '작성자는 엔지니어입니다.',
      '매달 새로 쓰는 목록입니다.',
      '읽기 쉬운 문장입니다.',
    ],
  },
  German: {
    hits: [
      ['Verwenden, wenn Protokolle für den Kunden gekürzt werden.', 'whenToUse'],
      ['Nicht für Bilddateien geeignet.', 'whenNotToUse'],
      ['Benötigt Python 3.11 und die Datei config.', 'prerequisites'],
      ['Unterstützt nur das Format PDF.', 'limitations'],
      ['Liefert eine Tabelle mit einer Zeile je Tag.', 'outputs'],
    ],
    misses: [
      'Die Nutzer und der Support mögen es.',
      'Das Verfahren ist nicht neu.',
      'Der Bedarf ist für das Team groß.',
      'Die Grenzen der Sprache sind weit.',
      'Das Format wird mit dem Team gewählt.',
    ],
  },
  French: {
    hits: [
      ['À utiliser lorsque les notes sont trop longues.', 'whenToUse'],
      ['Ne pas utiliser pour les images.', 'whenNotToUse'],
      ['Nécessite Python 3.11 et les droits de lecture.', 'prerequisites'],
      ['Ne prend pas en charge les archives.', 'limitations'],
      ['Renvoie une table avec une ligne par jour.', 'outputs'],
    ],
    misses: [
      'Les utilisateurs et les équipes en parlent.',
      'Ce texte et les notes sont courts.',
      'Une exigence des clients est la clarté.',
      'Les limites de la langue sont larges.',
      'Le format est choisi avec les clients.',
    ],
  },
  Spanish: {
    hits: [
      ['Usar cuando las notas son demasiado largas.', 'whenToUse'],
      ['No usar para las imágenes.', 'whenNotToUse'],
      ['Requiere Python 3.11 y acceso a los datos.', 'prerequisites'],
      ['Solo funciona con archivos PDF.', 'limitations'],
      ['Devuelve una tabla con una fila por día.', 'outputs'],
    ],
    misses: [
      'Los usuarios hablan de las notas.',
      'El texto no es largo.',
      'Los requisitos del cliente son claros.',
      'El formato se elige con el equipo.',
      'Las notas del equipo son cortas.',
    ],
  },
  Portuguese: {
    hits: [
      ['Use quando as notas são longas demais.', 'whenToUse'],
      ['Não use para imagens.', 'whenNotToUse'],
      ['Requer Python 3.11 e acesso para leitura com senha.', 'prerequisites'],
      ['Só funciona com arquivos PDF.', 'limitations'],
      ['Retorna uma tabela com uma linha por dia.', 'outputs'],
    ],
    misses: [
      'Os usuários falam das notas com a equipe.',
      'O texto não é longo, com uma página.',
      'Os requisitos dos clientes são claros.',
      'O formato é escolhido com a equipe.',
      'As notas das equipes são curtas.',
    ],
  },
}

describe('the languages of a description', () => {
  test('each has five written hits and five near misses', () => {
    for (const language of Object.keys(LANGUAGES)) {
      expect(WRITTEN[language]?.hits).toHaveLength(5)
      expect(WRITTEN[language]?.misses).toHaveLength(5)
    }
  })

  const hits = Object.entries(WRITTEN).flatMap(([language, { hits: all }]) =>
    all.map(([sentence, name]) => [language, sentence, name] as const),
  )
  test.each(hits)('%s: %s -> %s', (_, sentence, name) => {
    expect([...readDescription(sentence, false).stated]).toEqual([name])
  })

  const misses = Object.entries(WRITTEN).flatMap(([language, { misses: all }]) =>
    all.map((sentence) => [language, sentence] as const),
  )
  test.each(misses)('%s: %s -> nothing', (_, sentence) => {
    expect([...readDescription(sentence, false).stated]).toEqual([])
  })
})
