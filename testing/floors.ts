// Draws docs/pictures/floors.svg from the table of imports in docs/architecture.md: `npm run floors`.
import { readFileSync, writeFileSync } from 'node:fs'

const TABLE = new URL('../docs/architecture.md', import.meta.url)
export const PICTURE = new URL('../docs/pictures/floors.svg', import.meta.url)

const BOX = { width: 128, height: 30, right: 16, below: 52 }
const STYLE =
  'rect{fill:#fff;stroke:#555}text{font:13px sans-serif;text-anchor:middle}line{stroke:#999}'

/** Reads the rooms of the product, each with the rooms that it may import. Single files are left out. */
const readImports = (): Map<string, string[]> => {
  const block = /```imports\n([^]*?)```/.exec(readFileSync(TABLE, 'utf8'))?.[1] ?? ''
  const lines = block.match(/^(?:src|build|functions|extras)\b.*$/gm) ?? []
  const rows = lines.map((line) => line.split('->').map((side) => side.trim()))
  const rooms = rows.flatMap(([room = '']) => (room.endsWith('.ts') ? [] : [room]))
  return new Map(
    rows.flatMap(([room = '', allowed = '']) =>
      rooms.includes(room)
        ? [[room, rooms.filter((below) => allowed.split(' ').includes(below))]]
        : [],
    ),
  )
}

const imports = readImports()

/** The length of the longest chain of imports from a room. Rooms that import each other count once. */
const measureHeight = (room: string, above: readonly string[] = []): number => {
  const below = (imports.get(room) ?? []).filter((next) => !above.includes(next))
  return Math.max(0, ...below.map((next) => measureHeight(next, [...above, room]) + 1))
}

const reaches = (from: string, to: string, seen: readonly string[] = []): boolean =>
  from === to ||
  (imports.get(from) ?? []).some((one) => !seen.includes(one) && reaches(one, to, [...seen, from]))

const place = (): Map<string, { x: number; y: number }> => {
  const floors = Object.groupBy(imports.keys(), (room) => measureHeight(room))
  const top = Math.max(...Object.keys(floors).map(Number))
  const widest = Math.max(...Object.values(floors).map((rooms) => rooms?.length ?? 0))
  const step = BOX.width + BOX.right
  return new Map(
    Object.entries(floors).flatMap(([floor, rooms = []]) =>
      rooms.map((room, at) => {
        const x = ((widest - rooms.length) / 2 + at) * step + BOX.right
        return [
          room,
          { x, y: (top - Number(floor)) * (BOX.height + BOX.below) + BOX.right },
        ] as const
      }),
    ),
  )
}

/** Draws each room above its imports, with a line to each import that no other import leads to. */
export const drawFloors = (): string => {
  const places = place()
  const lines = [...imports].flatMap(([room, below]) =>
    below
      .filter((to) => !reaches(to, room))
      .filter((to) => !below.some((by) => by !== to && !reaches(by, room) && reaches(by, to)))
      .map((to) => ({ from: places.get(room)!, to: places.get(to)! })),
  )
  const middle = BOX.width / 2
  const drawn = [
    ...lines.map(
      ({ from, to }) =>
        `<line x1="${from.x + middle}" y1="${from.y + BOX.height}" x2="${to.x + middle}" y2="${to.y}"/>`,
    ),
    ...[...places].map(
      ([room, { x, y }]) =>
        `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/>` +
        `<text x="${x + middle}" y="${y + 20}">${room}</text>`,
    ),
  ]
  const all = [...places.values()]
  const width = Math.max(...all.map(({ x }) => x)) + BOX.width + BOX.right
  const height = Math.max(...all.map(({ y }) => y)) + BOX.height + BOX.right
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">`
  return [head, `<style>${STYLE}</style>`, ...drawn, '</svg>', ''].join('\n')
}

if (import.meta.main) writeFileSync(PICTURE, drawFloors())
