import { listSubheadings } from './contents.ts'
import { drawFigure } from './figure.ts'
import { renderText } from './folds.ts'
import { viewInstall } from './install-view.ts'
import { openProse } from './prose.ts'
import { renderData } from './structured-data.ts'
import { listBreadcrumbs } from './trail.ts'

/** What a page is viewed with where the build prints it. */
export const PRINTED = {
  openProse,
  renderData,
  drawFigure,
  viewInstall,
  listSubheadings,
  renderText,
  listBreadcrumbs,
}
