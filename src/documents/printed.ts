import { listSubheadings } from './contents.ts'
import { drawFigure } from './figure.ts'
import { renderText } from './folds.ts'
import { viewInstall } from './install-view.ts'
import { openProse } from './prose.ts'
import { renderData } from './structured-data.ts'
import { listBreadcrumbs } from './trail.ts'

/** What only pages printed by the build need. `functions/fetch.ts` does without it and is 2 KB smaller (gzip). */
export const PRINTED = {
  openProse,
  renderData,
  drawFigure,
  viewInstall,
  listSubheadings,
  renderText,
  listBreadcrumbs,
}
